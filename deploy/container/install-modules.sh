#!/bin/sh
# Installs the packages that the server of an image needs, without install scripts: those of the lock file, and the
# native runtime of engine packs if the first argument is `on`.
set -eu
workspaces="--workspace=apps/server --workspace=packages/phantom"
npm ci --omit=dev --ignore-scripts $workspaces

if [ "$1" = on ]; then
  version=$(node -p 'require("./apps/server/package.json").devDependencies["onnxruntime-node"]')
  # npm leaves out a package that the manifest lists for development, unless it is added as a production package.
  npm install --no-save --save-prod --omit=dev --ignore-scripts $workspaces "onnxruntime-node@$version"
  # The package brings the libraries of every system: 289 MB, of which this one needs a sixth.
  architecture=$(node -p process.arch)
  find node_modules/onnxruntime-node/bin -mindepth 3 -maxdepth 3 -type d ! -path "*/linux/$architecture" \
    -prune -exec rm -r {} +
fi

# The package of the runtime in WebAssembly brings twelve builds for browsers, 135 MB. The server uses one, 14 MB: see
# scripts/lib/install.mjs.
rm -rf node_modules/onnxruntime-web/docs node_modules/onnxruntime-web/lib
find node_modules/onnxruntime-web/dist -type f ! -name ort.node.min.mjs ! -name 'ort-wasm-simd-threaded.mjs' \
  ! -name ort-wasm-simd-threaded.wasm -delete

# Nothing reads these at run time: 51 MB of 272.
find node_modules apps/server/node_modules -type f \
  \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' \) -delete
