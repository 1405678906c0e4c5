# From an empty folder to the pack for intra-oral films: draws films, trains, measures, exports, packs.
#   training/run film FOLDER [FILMS] [MINUTES] [IMAGES]
# FOLDER keeps films, logs, weights and the pack, arcada.film-VERSION.zip. MINUTES are of processor time. IMAGES is the
# folder of the real films of film/development-set.json. Of the environment: VERSION, SEED, KEY (a private key of
# `package-key`, which signs the pack), HELD_BACK (their number) and DATE.
set -euo pipefail
. training/shared/steps.sh
[ $# -ge 1 ] || { sed -n '1,5p' "$0" >&2; exit 2; }
folder=$1 films=${2:-3000} minutes=${3:-30} images=${4:-}
version=${VERSION:-0.1.0}

mkdir -p "$folder"
draw "$folder/films" "$films" 0 intraoral
draw "$folder/held-back" "${HELD_BACK:-300}" 0 intraoral-held-back
"$PYTHON" training/film/train_film.py "$folder/films" "$folder/film.pt" --minutes "$minutes" --seed "$seed" | tee "$folder/train.log"
"$PYTHON" training/film/evaluate_film.py "$folder/film.pt" "$folder/held-back" --out "$folder/measured-drawn.json"
if [ -n "$images" ]; then
  "$PYTHON" training/film/evaluate_film.py "$folder/film.pt" training/film/development-set.json "$images" --out "$folder/measured-real.json"
fi
"$PYTHON" training/film/make_film_pack.py "$folder" --measured "$folder/measured-drawn.json" \
  ${images:+--real "$folder/measured-real.json"} --least-view 0.8 --version "$version" --date "$date"
build_pack "$folder"
