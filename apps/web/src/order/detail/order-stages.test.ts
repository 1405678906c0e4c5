import { describe, expect, it } from "vitest";
import { listStages } from "./order-stages.ts";

const order = (change: Partial<Parameters<typeof listStages>[0]>): Parameters<typeof listStages>[0] => ({
  state: "awaiting_design",
  step: "preparing",
  holder: "receiver",
  prescription: { workKinds: ["design", "machining"], schemeRequired: false },
  events: [
    { action: "handOver", time: "2030-01-01" },
    { action: "accept", time: "2030-01-02" },
    { action: "submitDesign", time: "2030-01-03" },
  ],
  ...change,
});
const shown = (change: Partial<Parameters<typeof listStages>[0]>) =>
  listStages(order(change)).map(({ name, state }) => `${name} ${state}`);

describe("the stages of an order", () => {
  it("stand at the design while the laboratory works and at the review once it has submitted", () => {
    expect(shown({})[2]).toBe("design current");
    expect(shown({ step: "submitted" }).slice(2, 4)).toEqual(["design done", "review current"]);
  });

  it("leave out what was not ordered", () => {
    expect(shown({ prescription: { workKinds: ["design"], schemeRequired: true }, state: "awaiting_scheme" })).toEqual([
      "sent done",
      "accepted done",
      "plan current",
      "design ahead",
      "review ahead",
      "delivered ahead",
    ]);
  });

  it("name the day of the latest submission", () => {
    const events = [...order({}).events, { action: "submitDesign", time: "2030-01-05" }];
    expect(listStages(order({ events, step: "submitted" }))[2]).toEqual({
      name: "design",
      state: "done",
      at: "2030-01-05",
    });
  });

  it("stop where a cancelled order stood", () => {
    expect(shown({ state: "cancelled" })).toContain("review stopped");
    expect(shown({ state: "refused", events: [{ action: "handOver", time: "2030-01-01" }] })[1]).toBe(
      "accepted stopped",
    );
  });

  it("are all done at the end", () => {
    expect(shown({ state: "completed" }).every((line) => line.endsWith("done"))).toBe(true);
  });
});
