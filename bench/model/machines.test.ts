import { describe, expect, it } from "vitest";
import { insertTables } from "./sizing-tables.ts";
import { ordinaryDay, workKinds } from "./clinic-day.ts";
import type { ClinicDay } from "./clinic-day.ts";
import { demandOf, growthOf, planMachines, slowdown } from "./machines.ts";

const sizes = [1, 2, 5, 10, 20, 40, 100, 300, 1000, 3000, 10_000];

describe("the model of machines", () => {
  it("never asks for less when there are more clinics", () => {
    const sum = (clinics: number): number => {
      const { cores, webProcesses, workers, isOneMachine } = planMachines(ordinaryDay, clinics);
      return isOneMachine ? cores : cores + webProcesses + 4 * workers;
    };
    const totals = sizes.map(sum);
    expect(totals).toEqual(totals.toSorted((a, b) => a - b));
  });

  it.each(workKinds)("never asks for less when a clinic does more of: %s", (kind) => {
    const more = { ...ordinaryDay, work: { ...ordinaryDay.work, [kind]: 2 * ordinaryDay.work[kind] } };
    const sizeOf = (day: ClinicDay): Record<string, number> => {
      const { web, worker, database: cores, outgoing, incoming } = demandOf(day, 100);
      return { web, worker, cores, outgoing, incoming, ...growthOf(day, 100) };
    };
    const [usual, busier] = [sizeOf(ordinaryDay), sizeOf(more)];
    for (const [name, value] of Object.entries(busier)) expect(value).toBeGreaterThanOrEqual(usual[name]);
    expect(busier).not.toEqual(usual);
  });

  it("grows in proportion to the clinics", () => {
    expect(growthOf(ordinaryDay, 1000).files).toBeCloseTo(1000 * growthOf(ordinaryDay, 1).files, 0);
    expect(demandOf(ordinaryDay, 1000).calls).toBeCloseTo(1000 * demandOf(ordinaryDay, 1).calls, 6);
  });

  it("keeps every part below 60 % in the busiest hour, and below 85 % after one machine has failed", () => {
    for (const clinics of sizes) {
      const { demand, isOneMachine, cores, webProcesses, workers } = planMachines(ordinaryDay, clinics);
      if (isOneMachine) {
        expect(demand.web + demand.worker + demand.database).toBeLessThanOrEqual(0.6 * cores);
        continue;
      }
      expect(demand.web / webProcesses).toBeLessThanOrEqual(0.6);
      expect(demand.web / (webProcesses - 1)).toBeLessThanOrEqual(0.85);
      expect(demand.worker / (4 * workers)).toBeLessThanOrEqual(0.6);
      expect(demand.worker / (4 * (workers - 1))).toBeLessThanOrEqual(0.85);
      expect(demand.database / cores).toBeLessThanOrEqual(0.6);
    }
  });

  it("makes work twice as long on one core that others use half", () => {
    expect(slowdown(1, 0.5)).toBeCloseTo(2, 9);
    expect(slowdown(1, 1)).toBe(Number.POSITIVE_INFINITY);
  });

  it("refuses a page that asks for a table that it does not have", () => {
    expect(() => insertTables("<!-- model: none -->\n<!-- end -->")).toThrow('no table "none"');
  });
});
