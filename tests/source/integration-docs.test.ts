import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { everyCall } from "@arcada/contract/calls";
import {
  keyRules,
  keyScopes,
  labScopes,
  webhookEvents,
  webhookRules,
} from "@arcada/contract/integrations/integrations.rules";
import { scopeCalls, findScope } from "@arcada/contract/integrations/api-key-scopes";
import { caseRoles, managerRoles, hasAccess } from "@arcada/contract/kernel/roles";
import { taskTable } from "@arcada/contract/order/fhir-task-status";
import { createWebhookSecret, buildSignatures } from "../../apps/server/src/integrations/webhook.signature.ts";
import { buildOpenApi } from "../../apps/server/src/platform/openapi/openapi-document.ts";
import { present } from "@arcada/testing/require-present";

const page = readFileSync(path.join(import.meta.dirname, "../../docs/interface.md"), "utf8");
const findRowCells = (name: string): string[] =>
  page
    .split("\n")
    .find((line) => line.startsWith(`| \`${name}\` |`))
    ?.split("|")
    .map((cell) => cell.trim()) ?? [];

describe("the page about integrations", () => {
  it("names for every scope the calls that it opens", () => {
    for (const scope of keyScopes)
      for (const call of scopeCalls[scope]) expect(findRowCells(scope)[2], scope).toContain(`\`${call}\``);
    const named = keyScopes.flatMap((scope) =>
      [...findRowCells(scope)[2].matchAll(/`([a-z]+\.\w+)`/g)].map(([, name]) => name),
    );
    expect(named.toSorted()).toEqual(Object.values(scopeCalls).flat().toSorted());
    for (const scope of labScopes) expect(page).toContain(`\`${scope}\``);
    expect(page).toContain(`${keyRules.perMinute} requests a minute`);
  });

  it("names every event, the delays and the states in FHIR", () => {
    for (const event of webhookEvents) expect(findRowCells(event), event).not.toEqual([]);
    const shown = webhookRules.delays.map((seconds) =>
      seconds < 60 ? `${seconds} s` : seconds < 3600 ? `${seconds / 60} min` : `${seconds / 3600} h`,
    );
    expect(page).toContain(`${shown.slice(0, -1).join(", ")} and ${shown.at(-1)}`);
    for (const [state, fhirStates] of Object.entries(taskTable))
      expect(findRowCells(state).slice(2, 7), state).toEqual([
        fhirStates.task,
        fhirStates.onSendersTurn ?? "",
        fhirStates.whenAsked ?? "",
        fhirStates.whileReceiverHolds ?? "",
        fhirStates.request,
      ]);
  });

  it("shows a check of signatures that works", async () => {
    const [code] = present(/(?<=```js\n)[\s\S]*?(?=```)/.exec(page));
    const { isGenuine } = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as {
      isGenuine: (headers: Record<string, string>, body: string, secret: string) => boolean;
    };
    const [old, fresh, other] = [createWebhookSecret(), createWebhookSecret(), createWebhookSecret()];
    const body = '{"type":"order.moved"}';
    const sent = (timestamp: number) => ({
      "webhook-id": "1",
      "webhook-timestamp": String(timestamp),
      "webhook-signature": buildSignatures([fresh, old], { id: "1", timestamp, body }),
    });
    const now = Math.floor(Date.now() / 1000);
    expect([old, fresh, other].map((secret) => isGenuine(sent(now), body, secret))).toEqual([true, true, false]);
    expect(isGenuine(sent(now), `${body} `, fresh)).toBe(false);
    expect(isGenuine(sent(now - 400), body, fresh)).toBe(false);
  });
});

it("a device's key makes the calls of a device, and no others", () => {
  const opened = everyCall().flatMap(({ name, row }) => (row.access === "device" ? [name] : []));
  expect(opened.toSorted()).toEqual([
    "device.hello",
    "device.worklist",
    "hl7.receive",
    "practice.deviceCode",
    "practice.deviceImages",
    "study.send",
    "upgrade.latest",
  ]);
});

it("a key makes no call that is not for people of an organisation, and none that makes keys, members or settings", () => {
  for (const { name, row } of everyCall()) {
    if (!findScope(row) || row.access === "device") continue;
    expect(caseRoles.some((role) => hasAccess(row.access, role)) && typeof row.access !== "string", name).toBe(true);
    expect(
      managerRoles.some((role) => hasAccess(row.access, role)),
      name,
    ).toBe(true);
    expect(name).not.toMatch(/^(account|factor|member|interface|leaving|notice)\./);
  }
  const { paths } = buildOpenApi() as { paths: Record<string, Record<string, { security?: object[] }>> };
  expect(paths["/v1/order/list"].get.security).toEqual([{ token: [] }, { key: ["orders.read"] }]);
  expect(paths["/v1/interface/keys"].get.security).toEqual([{ token: [] }]);
});
