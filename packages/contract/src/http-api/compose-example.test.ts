import { z } from "zod";
import { describe, expect, it } from "vitest";
import { everyCall } from "../calls.ts";
import { composeExample } from "./compose-example.ts";

describe("the composed example of a request", () => {
  it.each(["all", "required"] as const)("is accepted by the schema of every call, with %s properties", (extent) => {
    const refused = everyCall().flatMap(({ name, row }) => {
      const example = composeExample(name, row.input, extent);
      const { error } = z.safeParse(row.input, example ?? {});
      return error
        ? [`${name}: ${error.issues.map(({ path, message }) => `${path.join(".")} ${message}`).join("; ")}`]
        : [];
    });
    expect(refused).toEqual([]);
  });

  const inputs = new Map(everyCall().map(({ name, row }) => [name, row.input]));
  const exampleOf = (call: string, extent: "all" | "required") =>
    composeExample(call, inputs.get(call) ?? z.never(), extent);

  it("leaves out what may be omitted, if only required properties are asked for", () => {
    expect(Object.keys(exampleOf("order.detail", "required") as object)).toEqual(["id"]);
    expect(exampleOf("order.message", "required")).toMatchObject({ text: expect.any(String) as string });
    expect(exampleOf("study.open", "all")).toHaveProperty("photoViews");
    expect(exampleOf("study.open", "required")).not.toHaveProperty("photoViews");
  });

  it("takes an alternative of a union that fits the other properties", () => {
    expect(exampleOf("share.create", "required")).toMatchObject({
      factor: { kind: "email", email: "jon.park@example.com" },
    });
  });

  it("is undefined for a call without input", () => {
    expect(exampleOf("account.logout", "all")).toBeUndefined();
  });
});
