# Steps that every training has; sourced by training/WHAT.sh. Of the environment: SEED, DATE, KEY.
date=${DATE:-$(date -u +%F)} seed=${SEED:-1}

# Draws films unless the folder has them: FOLDER COUNT [FIRST] [KIND].
draw() {
  for truth in "$1"/*.jsonl; do [ -s "$truth" ] && return; done
  node scripts/app.mjs exec node training/draw-films.ts "$@"
}

# Makes the pack of the model, manifest and card of a folder.
build_pack() { node scripts/app.mjs exec node training/build-pack.ts "$1" --date "$date" ${KEY:+--key "$KEY"}; }
