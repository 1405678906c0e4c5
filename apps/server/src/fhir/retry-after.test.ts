import fastify from "fastify";
import { expect, it } from "vitest";
import { refuse } from "../platform/http/refuse.ts";
import { registerErrorHandler } from "../platform/http/error-handler.ts";
import { registerFhirErrors } from "./operation-outcome.ts";

const app = fastify();
registerErrorHandler(app);
app.get("/away", () => refuse("unavailable"));
app.get("/never", () => refuse("emailNotOffered"));
await app.register(async (scope) => {
  registerFhirErrors(scope);
  scope.get("/fhir/away", () => refuse("unavailable"));
});

const ask = async (url: string) => {
  const { statusCode, headers } = await app.inject(url);
  return [statusCode, headers["retry-after"] ?? null];
};

it("a client is told when to come back, also by FHIR, and not after a lasting refusal with the same status", async () => {
  expect(await ask("/away")).toEqual([503, "2"]);
  expect(await ask("/fhir/away")).toEqual([503, "2"]);
  expect(await ask("/never")).toEqual([503, null]);
});
