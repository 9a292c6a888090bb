"""Facts and decisions of the floor."""

from __future__ import annotations

from casino.models.audit import AuditEvent, AuditHead, AuditSeal
from casino.models.decisions import (
    ApprovalRule,
    Incident,
    IncidentClosing,
    Proposal,
    ProposalDecision,
    Ruling,
    kind_at,
    of_bets,
)
from casino.models.floor import OutcomeRevision, Pit, Round, Shoe, Table
from casino.models.limits import (
    BetLimit,
    LimitProfile,
    LimitSet,
    ProfileBet,
    ProfileVersion,
)
from casino.models.people import ApiClient, ApiKey, Operator, Person, Role
from casino.models.stops import Stop

__all__ = [
    "ApiClient",
    "ApiKey",
    "ApprovalRule",
    "AuditEvent",
    "AuditHead",
    "AuditSeal",
    "BetLimit",
    "Incident",
    "IncidentClosing",
    "LimitProfile",
    "LimitSet",
    "Operator",
    "OutcomeRevision",
    "Person",
    "Pit",
    "ProfileBet",
    "ProfileVersion",
    "Proposal",
    "ProposalDecision",
    "Role",
    "Round",
    "Ruling",
    "Shoe",
    "Stop",
    "Table",
    "kind_at",
    "of_bets",
]
