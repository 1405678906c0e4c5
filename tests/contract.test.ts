import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { calls, everyCall } from "@arcada/contract/calls";
import { mayRole, roleNames, roles } from "@arcada/contract/kernel/roles";
import { refusals, successCode } from "@arcada/contract/kernel/refusals";
import { homeOf, screens } from "@arcada/contract/screens";
import type { Screen } from "@arcada/contract/screens";
import { docs } from "../scripts/map.ts";

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

describe("the generated documents", () => {
  it.each(Object.entries(docs()))("%s says what the contract says", (file, content) => {
    const place = path.join(import.meta.dirname, "..", file);
    expect(existsSync(place), `${file} is there`).toBe(true);
    expect(readFileSync(place, "utf8")).toBe(content);
  });
});
