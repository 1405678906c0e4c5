import { actionsFrom } from "@arcada/contract/kernel/cycle";
import { relationCycle } from "@arcada/contract/relation/relation.cycle";
import type { RelationAction, RelationParty } from "@arcada/contract/relation/relation.cycle";
import type { RelationTable } from "../tables/institution.ts";
import type { Selectable } from "kysely";

type Row = Pick<Selectable<RelationTable>, "institution_id" | "target_id" | "state" | "left_by">;

/** As what an organisation's manager stands to a relationship. */
const partiesOf = (row: Row, iid: string): RelationParty[] => [
  "either",
  row.institution_id === iid ? "requester" : "target",
  ...(row.left_by === iid ? (["leaver"] as const) : []),
];

/** The actions open to a manager of the organisation. `hide` has no button yet: nothing is shown after it. */
export const openActions = (row: Row, iid: string, manages: boolean): RelationAction[] =>
  manages
    ? actionsFrom(relationCycle, row.state).filter((action) =>
        relationCycle.steps[action].by.some((party) => partiesOf(row, iid).includes(party)),
      )
    : [];
