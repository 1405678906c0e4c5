import fc from "fast-check";
import { expect, it } from "vitest";
import type { Order } from "@arcada/contract/order/order.calls";
import { permitForwarding, insertRelation, addSecondLab } from "@arcada/testing/fixtures/forwarding";
import {
  isApproval,
  latestRevisionHash,
  openNewestRevision,
  sendOrder,
  smallScanStl,
  type OrderStepInput,
} from "@arcada/testing/fixtures/orders";
import { setup, type Answer, type TestUser } from "@arcada/testing/setup/test-server";
import { present } from "@arcada/testing/require-present";
import { refusalOf } from "@arcada/testing/refusal-of";

const full = process.env.ARCADA_PROOF === "full";
/** In CI about 40 commands; the full run has about 4,000. */
const [lives, rounds] = full ? [60, 14] : [1, 8];
const command = fc.record({
  pick: fc.nat(),
  actor: fc.nat(7),
  what: fc.constantFrom("copy", "remake", "advance", "advance", "advance"),
  passes: fc.boolean(),
});
const life = fc.array(fc.array(command, { minLength: 2, maxLength: 8, size: "max" }), {
  minLength: rounds,
  maxLength: rounds,
});
type Command = typeof command extends fc.Arbitrary<infer T> ? T : never;

/** An order as its sender knows it: its origin, and the orders that were made from it. */
interface Node {
  id: string;
  /** Number of labs above it. */
  depth: 0 | 1 | 2;
  remakeOf: string | null;
  copies: number;
  remakes: string[];
  child: string | null;
}
/** The senders and receivers at each depth. */
interface Cast {
  senders: [TestUser, TestUser, TestUser];
  receivers: [TestUser, TestUser, TestUser];
  all: TestUser[];
  stranger: TestUser;
  uploads: Map<TestUser, string>;
}
const fresh = (id: string, depth: Node["depth"], remakeOf: string | null = null): Node => ({
  id,
  depth,
  remakeOf,
  copies: 0,
  remakes: [],
  child: null,
});

it("keeps copies, remakes and chains of labs consistent under concurrent actions", async () => {
  const cast = await castOf();
  const counts = { commands: 0, copies: 0, remakes: 0, chains: 0, completed: 0 };
  await fc.assert(
    fc.asyncProperty(life, async (all) => {
      const first = await sendOrder(
        { clinic: cast.all[1], dentist: cast.senders[0], lab: cast.receivers[0] } as Parameters<typeof sendOrder>[0],
        { workKinds: ["design"], mayForward: true },
      );
      const tree = new Map([[first.id, fresh(first.id, 0)]]);
      let now = await looks(cast, tree);
      for (const commands of all) {
        const before = now;
        await Promise.all(commands.map((each) => does(cast, tree, before, each)));
        counts.commands += commands.length;
        now = await looks(cast, tree);
        for (const node of tree.values()) await holds(cast, now, node);
      }
      const nodes = [...tree.values()];
      counts.copies += nodes.reduce((sum, { copies }) => sum + copies, 0);
      counts.remakes += nodes.filter(({ remakeOf }) => remakeOf).length;
      counts.chains += nodes.filter(({ depth }) => depth === 2).length;
      counts.completed += [...now.values()].filter(({ state }) => state === "completed").length;
    }),
    { numRuns: lives, endOnFailure: true, ...(!full && { seed: 5 }) },
  );
  process.stdout.write(`again: ${JSON.stringify(counts)}\n`);
  expect(counts.copies).toBeGreaterThan(0);
  if (full) expect(Math.min(...Object.values(counts))).toBeGreaterThan(10);
}, 1_200_000);

async function castOf(): Promise<Cast> {
  const env = await setup();
  const { dentist, clinic, lab, designer } = env;
  const { secondLab: plant, technician: maker } = await addSecondLab(env);
  const third = await env.server.createUser("factoryAdmin", await env.server.createInstitution("lab"));
  await insertRelation(plant, third);
  await permitForwarding(lab);
  const colleague = await env.server.createUser("clinicMember", { id: clinic.iid });
  const uploads = new Map<TestUser, string>();
  for (const [at, person] of [lab, plant, third].entries())
    uploads.set(person, await person.upload("design.stl", smallScanStl(at + 1)));
  return {
    senders: [dentist, lab, plant],
    receivers: [lab, plant, third],
    all: [dentist, clinic, colleague, lab, designer, plant, maker, third],
    stranger: (await setup()).lab,
    uploads,
  };
}

/** Every order as its sender sees it. */
async function looks({ senders }: Cast, tree: Map<string, Node>): Promise<Map<string, Order>> {
  const seen = new Map<string, Order>();
  for (const { id, depth } of tree.values()) seen.set(id, await senders[depth].call("order.detail", { id }));
  return seen;
}

/** Runs one command on the orders as they were before the round, and writes its result into the tree. */
async function does(
  cast: Cast,
  tree: Map<string, Node>,
  before: Map<string, Order>,
  { pick, actor, what, passes }: Command,
): Promise<void> {
  const node = [...tree.values()][pick % before.size];
  const order = before.get(node.id);
  if (!order) return;
  if (what === "advance") return advances(cast, tree, node, order, passes);
  const who = cast.all[actor];
  const isOwn = node.depth === 0 && who.role.startsWith("clinic");
  if (what === "copy") {
    const answer = await who.ask("order.copy", { id: node.id });
    if (!allowed(answer, isOwn)) return;
    node.copies += 1;
    tree.set(answer.data.id, fresh(answer.data.id, 0));
    return;
  }
  const answer = await who.ask("order.remake", { id: node.id, class: "lab", bears: "open" });
  // Another command of the round may complete it in the meantime.
  if (refusalOf(answer) === "orderNotRemade") return expect(isOwn && order.state !== "completed").toBe(true);
  if (!allowed(answer, isOwn)) return;
  node.remakes.push(answer.data.id);
  tree.set(answer.data.id, fresh(answer.data.id, 0, node.id));
}

function allowed(answer: Answer<unknown>, isOwn: boolean): boolean {
  if (isOwn) expect(refusalOf(answer), answer.msg).toBe("accepted");
  else expect(["notFound", "notAllowed"], answer.msg).toContain(refusalOf(answer));
  return isOwn;
}

/** Performs the next step of an order, or forwards it to another lab; the second of two in a round is refused. */
async function advances(cast: Cast, tree: Map<string, Node>, node: Node, order: Order, passes: boolean): Promise<void> {
  const [sender, receiver] = [cast.senders[node.depth], cast.receivers[node.depth]];
  const below = cast.receivers[node.depth + 1];
  const design = { upload: present(cast.uploads.get(receiver)), role: "design" as const };
  const passing = below && passes && node.child === null && { targetIid: below.iid };
  const ways: Partial<Record<string, [TestUser, OrderStepInput["action"], Partial<OrderStepInput>]>> = {
    draft: [sender, "submit", {}],
    pending: [receiver, "accept", { promisedDate: "2030-02-02" }],
    preparing: passing ? [receiver, "prepareForward", passing] : [receiver, "submitDesign", { files: [design] }],
    submitted: [sender, "confirmDelivery", { revisionHash: latestRevisionHash(order) }],
  };
  const way = ways[order.state === "awaiting_design" ? order.step : order.state];
  if (!way) return;
  const [who, action, more] = way;
  if (isApproval(action)) await openNewestRevision(who, order);
  const answer = await who.ask("order.step", { id: node.id, version: order.version, action, ...more });
  if (answer.code !== 200)
    return expect(["orderChanged", "orderActionNotAllowed"], `${action}: ${answer.msg}`).toContain(refusalOf(answer));
  const born = action === "prepareForward" ? answer.data?.family.child?.order : null;
  if (!born) return;
  node.child = born.id;
  tree.set(born.id, fresh(born.id, node.depth === 0 ? 1 : 2));
}

/**
 * The order lists its related orders and no others, has the state that its child determines, and shows drafts to
 * nobody.
 */
async function holds(cast: Cast, seen: Map<string, Order>, node: Node): Promise<void> {
  const { family, state } = present(seen.get(node.id));
  expect(family.copies).toBe(node.copies);
  expect(family.remakes.map(({ id }) => id).toSorted()).toEqual(node.remakes.toSorted());
  expect(family.remakeOf?.id ?? null).toBe(node.remakeOf);
  const child = node.child ? present(seen.get(node.child)) : null;
  const under = child && child.state !== "completed";
  expect(state === "awaiting_sending", node.id).toBe(child?.state === "draft");
  expect(state === "forwarded", node.id).toBe(Boolean(under) && present(child).state !== "draft");
  expect(refusalOf(await cast.stranger.ask("order.detail", { id: node.id }))).toBe("notFound");
  const maker = await cast.receivers[node.depth].ask("order.detail", { id: node.id });
  expect(refusalOf(maker)).toBe(state === "draft" ? "notFound" : "accepted");
  if (maker.code !== 200) return;
  expect(maker.data).toMatchObject({ state, version: present(seen.get(node.id)).version });
  const drafts = node.remakes.filter((id) => present(seen.get(id)).state === "draft");
  for (const id of drafts) expect(maker.data.family.remakes.map((one) => one.id)).not.toContain(id);
}
