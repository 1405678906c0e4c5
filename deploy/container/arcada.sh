#!/bin/sh
# The programs of an image: `serve` (the default), `gateway`, and the commands of docs/operator/admin-commands.md.
set -eu
case "${1:-serve}" in
  serve) exec node /app/apps/server/src/main.ts ;;
  gateway) exec node /app/apps/server/src/gateway/main.ts ;;
  *) exec node /app/apps/server/src/cli.ts "$@" ;;
esac
