import fc from "fast-check";
import { sql } from "kysely";
import { expect, it } from "vitest";
import {
  actions,
  actors,
  applyCommand,
  possibleCommands,
  type Actor,
  type WorkOrderModel,
} from "@arcada/testing/models/work-order-model";
import { createWorkOrder, setupAfterSales } from "@arcada/testing/fixtures/work-orders";
import type { AnyTestUser } from "@arcada/testing/setup/test-server";

const runs = process.env.ARCADA_PROOF === "full" ? 600 : 4;
const commands = fc.array(
  fc.record({
    by: fc.constantFrom(...actors),
    action: fc.constantFrom(...actions),
    person: fc.constantFrom(...actors),
    hasReason: fc.boolean(),
    // Nearly all random attempts are refused, so most are drawn from the open actions.
    drawn: fc.option(fc.nat(), { nil: null }),
  }),
  { minLength: 10, maxLength: 25 },
);

it(
  "T-19: a work order follows its transition table for any action by any user in any order",
  { timeout: 3_600_000 },
  async () => {
    const all = await setupAfterSales();
    const people: Record<Actor, AnyTestUser> = {
      one: all.technician,
      two: all.colleague,
      chief: all.chief,
      deputy: all.deputy,
      clinic: all.clinic,
    };
    const seen = { commands: 0, moved: 0 };
    const nameOf = (uid: string | undefined): Actor | null => actors.find((one) => people[one].uid === uid) ?? null;
    await fc.assert(
      fc.asyncProperty(commands, fc.boolean(), async (tried, hasAlternate) => {
        const made = await createWorkOrder(all, {
          assigneeId: all.technician.uid,
          ...(hasAlternate && { alternateId: all.colleague.uid }),
        });
        await finishedWork(made.id);
        let model: WorkOrderModel = { state: "new", assignee: "one", alternate: hasAlternate ? "two" : null };
        for (const { drawn, ...tries } of tried) {
          const choice = possibleCommands(model);
          const command = drawn === null ? tries : (choice[drawn % choice.length] ?? tries);
          const { version } = await all.chief.call("workorder.detail", { id: made.id });
          const answer = await people[command.by].ask("workorder.step", {
            id: made.id,
            version,
            action: command.action,
            personId: people[command.person].uid,
            ...(command.hasReason && { reason: "A reason" }),
          });
          const next = applyCommand(model, command);
          expect([command, model, answer.code === 200]).toEqual([command, model, next !== null]);
          model = next ?? model;
          seen.commands += 1;
          seen.moved += next ? 1 : 0;
          const { state, assignee, alternate } = await all.chief.call("workorder.detail", { id: made.id });
          expect({ state, assignee: nameOf(assignee?.id), alternate: nameOf(alternate?.id) }).toEqual(model);
        }
      }),
      { numRuns: runs },
    );
    console.info(
      `T-19 work order: ${runs} sequences, ${seen.commands} commands of which ${seen.moved} moved something`,
    );

    /** Everything that W8 requires is present from the beginning: its guards have their own tests. */
    async function finishedWork(id: string): Promise<void> {
      await all.testServer.running.database.asSystem(async (db) => {
        await sql`update work_order set finish_serial = serial_number, finish_description = 'Done' where id = ${id}`.execute(
          db,
        );
        await sql`insert into work_order_file (id, work_order_id, institution_id, role, name, bytes, content, sha256, created_by)
        select gen_random_uuid(), ${id}, institution_id, r.role, 'a.jpg', 10, 'jpeg', repeat('0', 64), created_by
        from work_order, (values ('picture'), ('picture'), ('receipt')) r (role) where work_order.id = ${id}`.execute(
          db,
        );
      });
    }
  },
);
