import { nameOf, toTypeName, type ClientCall, type ClientModel, type Schema } from "./client-calls.ts";

/** Renders the Python client: one module for Python 3.11 and later that needs nothing but the standard library. */
export function renderPython({ version, calls, schemas }: ClientModel): string {
  const declared = new Map<string, string>();
  for (const [name, schema] of schemas) declared.set(name, declare(name, schema));
  for (const call of calls) if (!call.input.$ref) declared.set(inputName(call), declare(inputName(call), call.input));
  return [
    header(version),
    ...[...declared.values()].map((one) => `${one}\n\n`),
    runtime,
    ...calls.map((call) => `\n${method(call)}`),
  ].join("");
}

const header = (version: string): string =>
  `"""Client of Arcada's open interface ${version}. Made from the contract; do not edit.

    arcada = Arcada("https://arcada.example", "arcada_...")
    for order in arcada.order_list({"pageSize": 10})["list"]:
        print(order["number"], order["state"])
"""

from __future__ import annotations

import json
import time
import urllib.error
import urllib.parse
import urllib.request
from typing import Any, Literal, NotRequired, TypedDict, Union

API_VERSION = "${version}"


`;

const inputName = ({ name }: ClientCall): string => `${toTypeName(name)}Input`;

// The form with a dictionary also takes names that are no identifiers of the language, such as "from".
function declare(name: string, schema: Schema): string {
  if (schema.type !== "object" || schema.anyOf || schema.oneOf || schema.allOf)
    return `${name} = ${toType(schema, true)}`;
  const { properties = {}, required = [] } = schema;
  const fields = Object.entries(properties).map(([field, property]) => {
    const type = toType(property, false);
    return `    ${JSON.stringify(field)}: ${JSON.stringify(required.includes(field) ? type : `NotRequired[${type}]`)},\n`;
  });
  return `${name} = TypedDict(\n    "${name}",\n    {\n${fields.map((one) => `    ${one}`).join("")}    },\n)`;
}

/** `isQuoted`: names of other types are written as texts, because they may be declared further down. */
function toType(schema: Schema, isQuoted: boolean): string {
  const { $ref, enum: values, anyOf, oneOf, allOf, type } = schema;
  const quote = (name: string): string => (isQuoted ? `"${name}"` : name);
  if ($ref) return quote(nameOf($ref));
  if ("const" in schema) return literal([schema.const]);
  if (values) return literal(values);
  const choices = anyOf ?? oneOf;
  if (choices) return union(choices.map((one) => toType(one, isQuoted)));
  if (allOf) return "dict[str, Any]";
  if (Array.isArray(type)) return union(type.map((one) => toType({ ...schema, type: one }, isQuoted)));
  if (type === "array") return `list[${schema.items ? toType(schema.items, isQuoted) : "Any"}]`;
  return (
    { string: "str", boolean: "bool", integer: "int", number: "float", null: "None", object: "dict[str, Any]" }[
      type ?? ""
    ] ?? "Any"
  );
}

const union = (types: string[]): string => `Union[${[...new Set(types)].join(", ")}]`;
const pythonValue = (value: unknown): string =>
  value === true ? "True" : value === false ? "False" : value === null ? "None" : JSON.stringify(value);
const literal = (values: unknown[]): string =>
  values.every((one) => typeof one === "string" || Number.isInteger(one) || typeof one === "boolean" || one === null)
    ? `Literal[${values.map(pythonValue).join(", ")}]`
    : "float";

const runtime = `def _to_text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


class ArcadaRefusal(Exception):
    """A refusal of the server. \`code\` never changes its meaning; the text is for people."""

    def __init__(self, status: int, code: int, message: str, data: Any) -> None:
        super().__init__(message)
        self.status, self.code, self.data = status, code, data


class Arcada:
    """Makes calls with a key of an organisation. Waits and repeats when the server asks for a pause."""

    def __init__(self, url: str, key: str, language: str = "en", timeout: float = 30.0) -> None:
        self._url, self._timeout = url.rstrip("/"), timeout
        self._headers = {"authorization": f"Bearer {key}", "accept-language": language}

    def _call(self, method: str, path: str, values: Any, idempotency_key: str | None = None) -> Any:
        address, body, headers = self._url + path, None, dict(self._headers)
        if method == "GET":
            query = {name: _to_text(value) for name, value in (values or {}).items() if value is not None}
            address += "?" + urllib.parse.urlencode(query) if query else ""
        else:
            body = json.dumps(values or {}).encode()
            headers["content-type"] = "application/json"
        if idempotency_key:
            headers["idempotency-key"] = idempotency_key
        for attempt in range(4):
            request = urllib.request.Request(address, data=body, headers=headers, method=method)
            try:
                with urllib.request.urlopen(request, timeout=self._timeout) as response:
                    return json.load(response)["data"]
            except urllib.error.HTTPError as error:
                if error.code == 429 and attempt < 3:
                    time.sleep(min(float(error.headers.get("retry-after", "1")), 60.0))
                    continue
                try:
                    refusal = json.load(error)
                except ValueError:
                    refusal = {}
                raise ArcadaRefusal(
                    error.code, refusal.get("code", 0), refusal.get("msg", str(error)), refusal.get("data")
                ) from None
        raise AssertionError("unreachable")
`;

function method(call: ClientCall): string {
  const { name, method: verb, path, summary, scope, input, output, isIdempotent } = call;
  const type = input.$ref ? nameOf(input.$ref) : inputName(call);
  const optional = (input.required ?? []).length === 0 && !input.$ref ? " | None = None" : "";
  return `    def ${toSnakeCase(name)}(
        self, values: ${type}${optional}${isIdempotent ? ", *, idempotency_key: str | None = None" : ""}
    ) -> ${toType(output, false)}:
        ${JSON.stringify(`${summary.replace(/\.?$/, ".")} Scope: ${scope}.`).replace(/^"|"$/g, '"""')}
        return self._call("${verb}", "${path}", values${isIdempotent ? ", idempotency_key" : ""})
`;
}

const toSnakeCase = (name: string): string =>
  name.replace(".", "_").replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
