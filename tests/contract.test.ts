import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { calls, everyCall } from "@arcada/contract/calls";
import { mayRole, roleNames, roles } from "@arcada/contract/kernel/roles";
import { refusals, successCode } from "@arcada/contract/kernel/refusals";
import { homeOf, screens } from "@arcada/contract/screens";
import type { Screen } from "@arcada/contract/screens";
import { docs } from "../scripts/map.ts";

const textsFolder = path.join(import.meta.dirname, "../packages/texts");
type Node = string | { [key: string]: Node };
const read = (language: string, file: string): Node =>
  JSON.parse(readFileSync(path.join(textsFolder, language, file), "utf8")) as Node;
const leaves = (node: Node, at = ""): [string, string][] =>
  typeof node === "string"
    ? [[at, node]]
    : Object.entries(node).flatMap(([key, child]) => leaves(child, at ? `${at}.${key}` : key));
const placeholders = (text: string): string[] =>
  [...text.matchAll(/\{\{(\w+)\}\}/g)].map((match) => match[1]!).toSorted();

describe("the contract", () => {
  it("has no two calls at one address", () => {
    const addresses = everyCall().map(({ row }) => `${row.method} ${row.path}`);
    expect(addresses).toEqual([...new Set(addresses)]);
  });

  it("gives every refusal a number of its own, and none the number of success", () => {
    const codes = Object.values(refusals).map(({ code }) => code);
    expect(codes).toHaveLength(new Set(codes).size);
    expect(codes).not.toContain(successCode);
  });

  it("gives every role a number of its own", () => {
    const numbers = roleNames.map((name) => roles[name].authorityId);
    expect(numbers).toHaveLength(new Set(numbers).size);
  });

  it("names only calls that exist as what a screen needs, and they admit whoever the screen admits", () => {
    const byName = new Map(everyCall().map(({ name, row }) => [name, row]));
    for (const [name, screen] of Object.entries(screens) as [string, Screen][])
      for (const needed of screen.needs) {
        const call = byName.get(needed);
        expect(call, `${name} needs ${needed}`).toBeDefined();
        for (const role of roleNames)
          if (mayRole(screen.access, role))
            expect(mayRole(call!.access, role), `${role} on ${name} asks ${needed}`).toBe(true);
      }
  });

  it("opens every role's first screen to that role", () => {
    for (const role of roleNames) {
      const home = Object.values(screens).find((screen) => screen.path === homeOf(role));
      expect(home && mayRole(home.access, role), role).toBe(true);
    }
  });

  it("keeps the addresses that the specification fixes", () => {
    const fixed = [
      "login",
      "verLogin",
      "register",
      "registerVerify",
      "fetchCountries",
      "aliverify",
      "sendCaptchaCode",
      "changePassword",
      "welcome",
      "changeUserRole",
    ];
    const paths = everyCall().map(({ row }) => row.path);
    for (const name of fixed) expect(paths).toContain(`/v1/base/${name}`);
    expect(calls.institution.switch.path).toBe("/v1/institution/switch");
  });
});

describe("the texts", () => {
  const languages = ["zh", "en"];
  const files = readdirSync(path.join(textsFolder, "en"));

  it.each(files)("%s has the same keys and placeholders in every language", (file) => {
    const reference = new Map(leaves(read("en", file)));
    for (const language of languages) {
      const here = new Map(leaves(read(language, file)));
      expect([...here.keys()].toSorted(), language).toEqual([...reference.keys()].toSorted());
      for (const [key, text] of here) {
        expect(placeholders(text), `${language} ${key}`).toEqual(placeholders(reference.get(key)!));
        expect(text.trim(), `${language} ${key}`).not.toBe("");
      }
    }
  });

  it("has the same files in every language", () => {
    for (const language of languages)
      expect(readdirSync(path.join(textsFolder, language)).toSorted()).toEqual(files.toSorted());
  });

  it("speaks of every refusal, and of nothing that is none", () => {
    for (const language of languages)
      expect(Object.keys(read(language, "refusals.json")).toSorted()).toEqual(Object.keys(refusals).toSorted());
  });

  it("names every screen", () => {
    const shell = read("en", "shell.json") as { screen: Record<string, string> };
    for (const screen of Object.values(screens)) expect(shell.screen[screen.title], screen.title).toBeTypeOf("string");
  });
});

describe("the generated documents", () => {
  it.each(Object.entries(docs()))("%s says what the contract says", (file, content) => {
    const place = path.join(import.meta.dirname, "..", file);
    expect(existsSync(place), `${file} is there`).toBe(true);
    expect(readFileSync(place, "utf8")).toBe(content);
  });
});
