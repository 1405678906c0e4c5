import { readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import path from "node:path";
import { parts, workspaces } from "./import-table.js";

/** Rejects an import that the table of parts does not allow. Tests may import from everywhere. */
export const imports = {
  meta: { type: "problem", schema: [] },
  create(context) {
    const file = placeOf(context.filename);
    if (!file || isTest.test(file.path)) return {};
    const from = partOf(file.path);
    const check = (node, specifier) => {
      const message = refusal(file, from, specifier);
      if (message) context.report({ node, message });
    };
    const checkSource = (node) => {
      const specifier = textOf(node.source);
      if (specifier !== undefined) check(node, specifier);
    };
    return {
      ImportDeclaration: checkSource,
      ExportNamedDeclaration: checkSource,
      ExportAllDeclaration: checkSource,
      ImportExpression: checkSource,
      TSImportType: checkSource,
      // A worker, or a module by its address: new URL("./decode.worker.ts", import.meta.url)
      NewExpression(node) {
        const specifier =
          node.callee.name === "URL" && node.arguments[1]?.type === "MemberExpression" && textOf(node.arguments[0]);
        if (specifier && /^\.{1,2}\/.*\.[cm]?[jt]sx?$/.test(specifier)) check(node, specifier);
      },
    };
  },
};

const isTest = /\.test\.tsx?$/;

/**
 * Returns a file's path in the repository, wherever that is on the disk. The last source folder in the path determines
 * it.
 */
function placeOf(filename) {
  const found = /^(?<root>.*\/)(?<path>(?:packages\/texts|(?:packages|apps)\/[^/]+\/src)\/.*)$/.exec(
    filename.replaceAll("\\", "/"),
  );
  return found?.groups;
}

function partOf(place) {
  const row = parts.find(({ at }) => at.test(place));
  return { ...row, part: row.part.replace("$1", row.at.exec(place)[1]) };
}

function refusal(file, from, specifier) {
  const target = targetOf(file, specifier);
  if (target === undefined) return refusedPackage(file, from, specifier);
  const to = partOf(target).part;
  const allowed =
    to === from.part ||
    from.may.some((name) => name === to || name === "*" || (name.endsWith(":*") && to.startsWith(name.slice(0, -1))));
  if (allowed) return undefined;
  const may = [from.part, ...from.may].join(", ");
  return `"${from.part}" may not import "${to}" (${specifier}); it may import ${may}. See docs/decisions and lint/import-table.js.`;
}

/** Returns the repository path of an import; undefined for a third-party package. */
function targetOf(file, specifier) {
  if (specifier.startsWith(".")) return path.posix.join(path.posix.dirname(file.path), specifier);
  const [scope, name, ...rest] = specifier.split("/");
  const folder = workspaces[`${scope}/${name}`];
  return folder && [folder, ...rest].join("/");
}

function refusedPackage(file, from, specifier) {
  if (from.packages !== "declared") return undefined;
  // A file named `.node.ts` is for Node only; browsers import nothing that needs it.
  if (isBuiltin(specifier) && file.path.endsWith(".node.ts")) return undefined;
  const name = specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
  const declared = dependenciesOf(file.root + file.path.split("/", 2).join("/"));
  if (!isBuiltin(specifier) && declared.includes(name)) return undefined;
  return `"${from.part}" may not import ${specifier}; it may import ${declared.join(", ") || "no package"}, as its package.json declares.`;
}

const known = new Map();
function dependenciesOf(folder) {
  if (!known.has(folder)) {
    const { dependencies = {} } = JSON.parse(readFileSync(`${folder}/package.json`, "utf8"));
    known.set(folder, Object.keys(dependencies));
  }
  return known.get(folder);
}

function textOf(node) {
  if (node?.type === "Literal" && typeof node.value === "string") return node.value;
  if (node?.type === "TSLiteralType") return textOf(node.literal);
  if (node?.type === "TemplateLiteral" && node.expressions.length === 0) return node.quasis[0].value.cooked;
  return undefined;
}
