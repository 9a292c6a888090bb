"""Settings, all of them from the environment.

A production process needs SECRET_KEY, DATABASE_URL, CELERY_BROKER_URL and ALLOWED_HOSTS; the first
three may be named by a file instead (SECRET_KEY_FILE=/run/secrets/key). LOCAL_HOUSE=1 is a house on
one machine: plain http on localhost, the embedded PostgreSQL, a key made once and kept in var/.
While such a house is open, a command that is told nothing else speaks to it.
"""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

from celery.schedules import crontab
from django.urls import reverse_lazy

from casino import localdb
from casino.environment import (
    database,
    env,
    env_bool,
    env_int,
    env_list,
    env_secret,
    house_is_open,
    local_secret,
    required,
)

BASE_DIR = Path(__file__).resolve().parent.parent

# The process

VAR_DIR = Path(env("VAR_DIR") or BASE_DIR / "var").resolve()

DEBUG = env_bool("DEBUG")
LOCAL_HOUSE = env_bool("LOCAL_HOUSE", DEBUG or house_is_open(VAR_DIR))
if LOCAL_HOUSE:
    SECRET_KEY = env_secret("SECRET_KEY") or local_secret(VAR_DIR / "secret_key")
else:
    SECRET_KEY = required("SECRET_KEY")
SECRET_KEY_FALLBACKS = env_list("SECRET_KEY_FALLBACKS")
ALLOWED_HOSTS = env_list("ALLOWED_HOSTS", "localhost,127.0.0.1,[::1]" if LOCAL_HOUSE else "")
CSRF_TRUSTED_ORIGINS = env_list("CSRF_TRUSTED_ORIGINS")
CSRF_FAILURE_VIEW = "casino.pages.faults.form_not_trusted"

INSTALLED_APPS = [
    "unfold.apps.BasicAppConfig",
    "unfold.contrib.filters",
    "unfold.contrib.forms",
    "unfold.contrib.simple_history",
    "casino.pages.apps.BackOfficeConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "simple_history",
    "pgtrigger",
    "rest_framework",
    "drf_spectacular",
    "django_filters",
    "axes",
    "casino",
    "tickets",
]

# Nobody is looked up behind a service's back: services name their actor, so the history
# middleware, which guesses one from the request, has no place here.
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "casino.pages.idle.IdleMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "axes.middleware.AxesMiddleware",
]

ROOT_URLCONF = "casino.urls"
WSGI_APPLICATION = "casino.wsgi.application"
ASGI_APPLICATION = "casino.asgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    },
]

# The data

# The folder of the embedded PostgreSQL, where it is in use; manage.py and casino.house start it.
EMBEDDED_DATABASE = VAR_DIR / "postgres" if LOCAL_HOUSE and not env_secret("DATABASE_URL") else None
DATABASES = {
    "default": database(
        localdb.url(EMBEDDED_DATABASE) if EMBEDDED_DATABASE else required("DATABASE_URL")
    )
}

DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
DATA_UPLOAD_MAX_MEMORY_SIZE = env_int("REQUEST_MAX_BYTES", 4 * 1024 * 1024)

LANGUAGE_CODE = "en-gb"
TIME_ZONE = "UTC"
USE_TZ = True
# The product speaks English alone: no catalogue to look every word of a page up in.
USE_I18N = False

# Who may come in

AUTH_USER_MODEL = "casino.Person"
AUTHENTICATION_BACKENDS = ["axes.backends.AxesStandaloneBackend", "casino.access.RoleBackend"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "casino.passwords.NameInsideValidator"},
    {
        "NAME": "django.contrib.auth.password_validation.MinimumLengthValidator",
        "OPTIONS": {"min_length": 12},
    },
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]
LOGIN_URL = "admin:login"
LOGIN_REDIRECT_URL = "admin:index"

# After three failures an account is locked for a while, for the address that they came from; every
# sign-in and every failure is kept. While it is locked nothing is looked at, so nothing grows.
AXES_FAILURE_LIMIT = 3
AXES_COOLOFF_TIME = timedelta(minutes=15)
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_RESET_COOL_OFF_ON_FAILURE_DURING_LOCKOUT = False
AXES_RESET_ON_SUCCESS = True
AXES_ENABLE_ACCESS_FAILURE_LOG = True
AXES_ACCESS_FAILURE_LOG_PER_USER_LIMIT = 10**9  # past a limit the newest ones would go
AXES_CLIENT_IP_CALLABLE = "casino.pages.signin.address_of"
AXES_LOCKOUT_CALLABLE = "casino.pages.signin.locked_out"
AXES_ENABLE_ADMIN = False
AXES_VERBOSE = False

# A session ends after so long without a request, and with the browser.
SESSION_COOKIE_AGE = env_int("SESSION_IDLE_MINUTES", 30) * 60
SESSION_EXPIRE_AT_BROWSER_CLOSE = True
SESSION_COOKIE_HTTPONLY = True

# TLS ends at a proxy that sets X-Forwarded-Proto. HTTPS=0 is plain http, for one machine only.
HTTPS = env_bool("HTTPS", not LOCAL_HOUSE)
SESSION_COOKIE_SECURE = HTTPS
CSRF_COOKIE_SECURE = HTTPS
SECURE_SSL_REDIRECT = HTTPS
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if HTTPS else None
SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^metrics$"]
SECURE_HSTS_SECONDS = env_int("HSTS_SECONDS", 365 * 24 * 3600) if HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = HTTPS
SECURE_HSTS_PRELOAD = HTTPS
X_FRAME_OPTIONS = "DENY"

# Files. A local house serves the style sheets from where they lie in the source; production
# collects them once, under names that change with their content.

STATIC_URL = "/static/"
STATIC_ROOT = VAR_DIR / "static"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if LOCAL_HOUSE
        else "whitenoise.storage.CompressedManifestStaticFilesStorage"
    },
}
WHITENOISE_USE_FINDERS = WHITENOISE_AUTOREFRESH = LOCAL_HOUSE

# The API

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": ["casino.api.authentication.KeyAuthentication"],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_PARSER_CLASSES": ["rest_framework.parsers.JSONParser"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "DEFAULT_THROTTLE_CLASSES": [
        "rest_framework.throttling.AnonRateThrottle",
        "rest_framework.throttling.UserRateThrottle",
    ],
    # Of one key in one web process; a refusal says in Retry-After when to come back.
    "DEFAULT_THROTTLE_RATES": {
        "anon": env("API_RATE_ANONYMOUS", "20/second"),
        "user": env("API_RATE", "200/second"),
    },
    "EXCEPTION_HANDLER": "casino.api.errors.answer",
    "NUM_PROXIES": env_int("PROXIES", 1) if HTTPS else 0,
    "UNAUTHENTICATED_USER": None,
}

# Who may read /metrics, and from when on /healthz answers 503.
METRICS_ADDRESSES = env_list(
    "METRICS_ADDRESSES", "127.0.0.0/8,::1,10.0.0.0/8,172.16.0.0/12,192.168.0.0/16,fc00::/7"
)
HEALTH_DUE_SECONDS = env_int("HEALTH_DUE_SECONDS", 60)
HEALTH_VERIFIED_HOURS = env_int("HEALTH_VERIFIED_HOURS", 48)

SPECTACULAR_SETTINGS = {
    "TITLE": "Pitbook",
    "DESCRIPTION": "Live-dealer tables, tickets and settlements.",
    "VERSION": "1",
    "SERVE_INCLUDE_SCHEMA": False,
    "SCHEMA_PATH_PREFIX": "/api/v1/",
}

# The back office's face

UNFOLD = {
    "SITE_TITLE": "Pitbook",
    "SITE_HEADER": "Pitbook",
    "SITE_SYMBOL": "playing_cards",
    "SITE_URL": None,
    "ACCOUNT": {"navigation": [{"title": "Your account", "link": reverse_lazy("admin:account")}]},
    "COLORS": {
        "primary": {
            "50": "oklch(98.4% .014 181)",
            "100": "oklch(95.3% .051 181)",
            "200": "oklch(91% .096 180)",
            "300": "oklch(85.5% .138 181)",
            "400": "oklch(77.7% .152 182)",
            "500": "oklch(60% .118 185)",
            "600": "oklch(51.1% .096 186)",
            "700": "oklch(43.7% .078 188)",
            "800": "oklch(38.6% .063 188)",
            "900": "oklch(33% .055 190)",
            "950": "oklch(27.7% .046 193)",
        },
    },
    "SIDEBAR": {
        "show_search": False,
        "show_all_applications": False,
        "navigation": "casino.pages.navigation.sidebar",
    },
}

# Work behind the scenes

FOLDER_QUEUE = "folder://localhost"
CELERY_BROKER_URL = env_secret("CELERY_BROKER_URL") or FOLDER_QUEUE

# A message is published once and without patience: the work stands in the database, and a broker
# that is down must not turn a committed ruling into an error page.
CELERY_TASK_PUBLISH_RETRY = False
CELERY_BROKER_TRANSPORT_OPTIONS: dict[str, Any] = {"max_retries": 1, "interval_start": 0}
if CELERY_BROKER_URL == FOLDER_QUEUE:
    # Without a broker the messages are files (casino.mailbox), which serves one machine.
    QUEUE_DIR = VAR_DIR / "queue"
    QUEUE_DIR.mkdir(parents=True, exist_ok=True)
    CELERY_BROKER_TRANSPORT_OPTIONS |= {
        "data_folder_in": str(QUEUE_DIR),
        "data_folder_out": str(QUEUE_DIR),
        "control_folder": str(VAR_DIR / "queue-control"),
        "polling_interval": 0.2,
    }
elif CELERY_BROKER_URL.startswith("redis"):
    CELERY_BROKER_TRANSPORT_OPTIONS |= {"socket_connect_timeout": 1, "socket_timeout": 5}
CELERY_BROKER_CONNECTION_TIMEOUT = 1
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None  # a worker waits for its broker as long as it takes
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_TIMEZONE = "UTC"
CELERY_BEAT_SCHEDULE = {
    "sweep": {
        "task": "tickets.tasks.sweep",
        "schedule": timedelta(seconds=2),
        "options": {"expires": 2},
    },
    "verify": {
        "task": "tickets.tasks.verify",
        "schedule": crontab(hour=env_int("VERIFY_HOUR_UTC", 4), minute=30),
    },
}

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "{asctime} {levelname} {name}: {message}", "style": "{"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["console"], "level": env("LOG_LEVEL", "INFO")},
}
