import { readdirSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { memberLifecycle, memberStates, memberStatus } from "../member/member.lifecycle.ts";
import { orderLifecycle } from "../order/order.lifecycle.ts";
import { relationLifecycle } from "../relation/relation.lifecycle.ts";
import { actionsFrom } from "./lifecycle.ts";
import type { Lifecycle } from "./lifecycle.ts";

type Table = Lifecycle<string, string, string, string>;
const source = path.join(import.meta.dirname, "..");
const isTable = (value: unknown): value is Table =>
  typeof value === "object" && value !== null && "states" in value && "steps" in value;

/** Every life cycle of the contract, found by its file name so that none is forgotten. */
const tables: [string, Table][] = [];
for (const file of readdirSync(source, { recursive: true, encoding: "utf8" }).filter((name) =>
  name.endsWith(".lifecycle.ts"),
)) {
  const exported = Object.values((await import(path.join(source, file))) as Record<string, unknown>).filter(isTable);
  if (exported.length === 0) throw new Error(`${file} holds no life cycle`);
  for (const table of exported) tables.push([file, table]);
}

const steps = (table: Table) => Object.values(table.steps);
const next = (table: Table, state: string): string[] =>
  steps(table).flatMap((step) => (step.from.includes(state) ? step.to : []));
const reached = (table: Table, from: readonly string[]): Set<string> => {
  const seen = new Set(from);
  for (const state of seen) for (const to of next(table, state)) seen.add(to);
  return seen;
};

/** The tables without a final state: a device is bound again, a period renewed late, feedback reopened. */
const endless = ["capacity/capacity.lifecycle.ts", "device/device.lifecycle.ts", "feedback/feedback.lifecycle.ts"];

describe.each(tables)("the life cycle in %s", (name, table) => {
  it("reaches every state from the step that makes the record", () => {
    const made = steps(table)
      .filter((step) => step.from.length === 0)
      .flatMap((step) => step.to);
    expect(made).not.toEqual([]);
    expect([...reached(table, made)].toSorted()).toEqual([...table.states].toSorted());
  });

  it("lets every living state end, or go on where there is no end", () => {
    for (const state of table.states) {
      if (endless.includes(name) && !table.terminal.includes(state)) {
        expect(next(table, state), state).not.toEqual([]);
        continue;
      }
      const ends = [...reached(table, [state])].some((to) => table.terminal.includes(to));
      expect(ends, state).toBe(true);
    }
  });

  it("lets no ended record live again", () => {
    for (const state of table.terminal)
      for (const to of next(table, state)) expect(table.terminal, `${state} to ${to}`).toContain(to);
  });

  it("names each state once on each side of a step, and knows every state that it names", () => {
    for (const [action, step] of Object.entries(table.steps))
      for (const list of [step.from, step.to, step.by]) expect(new Set(list).size, action).toBe(list.length);
    const named = steps(table).flatMap((step) => [...step.from, ...step.to]);
    expect(named.filter((state) => !table.states.includes(state))).toEqual([]);
    expect(new Set(table.states).size).toBe(table.states.length);
  });

  it("gives every step an actor and a row of the written table", () => {
    for (const [action, step] of Object.entries(table.steps)) {
      expect(step.by, action).not.toEqual([]);
      expect(step.id, action).toMatch(/^[A-Z]\d+$/);
    }
  });
});

describe("the order's life cycle", () => {
  it("holds the written rows O1 to O37", () => {
    const rows = new Set(Object.values(orderLifecycle.steps).map((step) => step.id));
    expect([...rows]).toEqual(Array.from({ length: 37 }, (_, place) => `O${place + 1}`));
  });

  it("opens no action at all on an order that has ended", () => {
    for (const state of orderLifecycle.terminal) expect(actionsFrom(orderLifecycle, state), state).toEqual([]);
  });
});

describe("the life of a member", () => {
  it("holds the written rows M1 to M14", () => {
    const rows = new Set(Object.values(memberLifecycle.steps).map((step) => step.id));
    expect([...rows]).toEqual(Array.from({ length: 14 }, (_, place) => `M${place + 1}`));
  });

  it("has the wire's number for each state, and no number twice", () => {
    expect(memberStates.map((state) => memberStatus[state]).toSorted((a, b) => a - b)).toEqual([
      0, 1, 2, 3, 4, 5, 6, 7, 8,
    ]);
    expect(memberStatus).toMatchObject({ normal: 2, confirmed: 6, expired: 8 });
  });
});

describe("the relationship's life cycle", () => {
  it("holds the written rows R1 to R10", () => {
    const rows = new Set(Object.values(relationLifecycle.steps).map((step) => step.id));
    expect([...rows]).toEqual(Array.from({ length: 10 }, (_, place) => `R${place + 1}`));
  });
});
