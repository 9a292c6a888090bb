"""The walls: promises that PostgreSQL keeps whatever the code above it does.

A wall is declared on a model and lives in its migration. Statement triggers are used where a
table is append-only, because they cost an INSERT nothing and catch TRUNCATE as well.
"""

from __future__ import annotations

import pgtrigger


def append_only() -> pgtrigger.Trigger:
    """Refuse UPDATE, DELETE and TRUNCATE, also of no rows at all."""
    return pgtrigger.Trigger(
        name="append_only",
        level=pgtrigger.Statement,
        when=pgtrigger.Before,
        operation=pgtrigger.Update | pgtrigger.Delete | pgtrigger.Truncate,
        func="RAISE EXCEPTION '% is append-only: % refused', TG_TABLE_NAME, TG_OP;",
    )


def keep() -> pgtrigger.Trigger:
    """Refuse DELETE and TRUNCATE of a fact; a fact may change but never vanish."""
    return pgtrigger.Trigger(
        name="keep",
        level=pgtrigger.Statement,
        when=pgtrigger.Before,
        operation=pgtrigger.Delete | pgtrigger.Truncate,
        func="RAISE EXCEPTION '% keeps its rows: % refused', TG_TABLE_NAME, TG_OP;",
    )


def decided(*fields: str) -> pgtrigger.Trigger:
    """Refuse a new or changed fact whose transaction wrote no decision to the audit log.

    The check is deferred to the commit, so a service may write fact and decision in either
    order. `fields` are the columns that count; a column left out may change freely.
    """
    return pgtrigger.Trigger(
        name="decided",
        level=pgtrigger.Row,
        when=pgtrigger.After,
        operation=pgtrigger.Insert | pgtrigger.UpdateOf(*fields),
        timing=pgtrigger.Deferred,
        func="""
            IF NOT EXISTS (
                SELECT 1 FROM casino_auditevent
                WHERE transaction = pg_current_xact_id()::text::bigint
            ) THEN
                RAISE EXCEPTION '% changed without a decision in the audit log', TG_TABLE_NAME;
            END IF;
            RETURN NULL;
        """,
    )


def once(field: str) -> pgtrigger.Trigger:
    """Refuse a change of a column that was filled in: what was drawn is drawn once."""
    return pgtrigger.Trigger(
        name=f"{field}_once",
        level=pgtrigger.Row,
        when=pgtrigger.Before,
        operation=pgtrigger.UpdateOf(field),
        condition=pgtrigger.Condition(
            f"OLD.{field} IS NOT NULL AND OLD.{field} IS DISTINCT FROM NEW.{field}"
        ),
        func=f"RAISE EXCEPTION '% keeps its {field}', TG_TABLE_NAME;",
    )


def seal() -> pgtrigger.Trigger:
    """Give each audit event its place in the chain, at commit.

    The head row is locked only from here to the end of the commit, so positions are gapless and
    in commit order, and no code path that writes an event can forget the seal.
    """
    return pgtrigger.Trigger(
        name="seal",
        level=pgtrigger.Row,
        when=pgtrigger.After,
        operation=pgtrigger.Insert,
        timing=pgtrigger.Deferred,
        declare=[("link", "casino_audithead%ROWTYPE")],
        func="""
            UPDATE casino_audithead
            SET position = position + 1,
                digest = sha256(digest || convert_to(concat_ws(E'\\x1f',
                    NEW.id, NEW.transaction, extract(epoch FROM NEW.at), NEW.actor_id,
                    NEW.actor_name, NEW.action, NEW.subject, NEW.reason, NEW.body), 'UTF8'))
            RETURNING * INTO STRICT link;
            INSERT INTO casino_auditseal (position, event_id, digest)
            VALUES (link.position, NEW.id, link.digest);
            RETURN NULL;
        """,
    )
