import { mkdirSync, writeFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import path from "node:path";
import { rolldown } from "rolldown";
import { inRoot, root } from "./paths.mjs";

// Bundles the modules that the main process of the server loads into the folder that is given as an argument. Thousands
// of small modules take most of the start: each is looked up, read, compared with the compile cache and linked.
const [folder] = process.argv.slice(2);

const main = inRoot("apps/server/src/main.ts");
const demoImport = "import(demoModule)";

/** These stay outside the bundle: native libraries, libraries that are found by their path, and those loaded later. */
const outside =
  /^(?:node:|sharp$|pdfkit$|onnxruntime-|pg-native$|nodemailer$|@aws-sdk\/|@simplewebauthn\/|@opentelemetry\/(?!api$))/;

/**
 * Scripts of threads, migrations and texts are found from the place of a module: each keeps the place of its source,
 * relative to the bundle. The demo shares the running services, so it is bundled as well.
 */
const keepPlaces = {
  name: "keep-places",
  transform(code, id) {
    if (id === main && !code.includes(demoImport)) throw new Error(`${main} has no ${demoImport}`);
    const joined = id === main ? code.replace(demoImport, `import(${JSON.stringify(inRoot("demo/seed.ts"))})`) : code;
    const place = `new URL(${JSON.stringify(path.relative(folder, id).replaceAll(path.sep, "/"))}, import.meta.url)`;
    return joined.replaceAll(/\bimport\.meta\.(dirname|url)\b/g, (_, name) =>
      name === "url" ? `${place}.href` : `process.getBuiltinModule("node:url").fileURLToPath(new URL(".", ${place}))`,
    );
  },
};

/**
 * To import a module of Node, Node reads each of its exports. Some exports of node:http load the client behind `fetch`,
 * 100 ms at the start.
 */
const lightHttp = {
  name: "light-http",
  resolveId: (id, importer, { kind }) => (id === "node:http" && kind === "import-statement" ? httpId : null),
  load: (id) => (id === httpId ? httpModule : null),
};
const httpId = "\0light-http";
const httpNames = ["Agent", "ClientRequest", "IncomingMessage", "METHODS", "OutgoingMessage", "STATUS_CODES", "Server"];
const httpFunctions = ["ServerResponse", "createServer", "get", "globalAgent", "request"];
const httpModule = `const http = process.getBuiltinModule("node:http");
export default http;
export const { ${[...httpNames, ...httpFunctions].join(", ")} } = http;`;

const build = await rolldown({
  input: { main },
  platform: "node",
  cwd: root,
  external: (id) => outside.test(id) && id !== "node:http",
  plugins: [keepPlaces, lightHttp],
});
const { output } = await build.generate({
  format: "esm",
  comments: false,
  entryFileNames: "[name].mjs",
  chunkFileNames: "[name]-[hash].mjs",
});
mkdirSync(folder, { recursive: true });
for (const { fileName, code } of output)
  writeFileSync(path.join(folder, fileName), escapeCharacters(lightenRequires(code)));

/** Node also reads each export of a module of its own that code in CommonJS requires; in this way it does not. */
function lightenRequires(code) {
  return code.replaceAll(/__require\("([\w:/]+)"\)/g, (call, name) =>
    isBuiltin(name) ? `globalThis.process.getBuiltinModule("${name}")` : call,
  );
}

/**
 * V8 keeps the source of a script in twice the memory if one character is beyond Latin-1. Characters from there to ASCII
 * are escaped as well: the file then has one byte for each character in every encoding.
 */
function escapeCharacters(code) {
  return code.replaceAll(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
