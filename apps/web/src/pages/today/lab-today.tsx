import { SegmentedControl } from "@mantine/core";
import { orderTodayCalls } from "@arcada/contract/order/order-today.calls";
import type { OrderGroup } from "@arcada/contract/order/order-today.calls";
import { useSearchParams, useSetSearchParams } from "../../browser/navigation.tsx";
import { useCall } from "../../data/use-call.ts";
import { useTexts } from "../../i18n/texts.ts";
import { DueFigures } from "../../order/today/due-figures.tsx";
import { OrderBoard } from "../../order/today/order-board.tsx";
import { OrderGroupSection } from "../../order/today/order-group.tsx";
import { Workload } from "../../order/today/workload.tsx";
import { QueryResult } from "../../ui/query-result.tsx";
import { NothingWaits, TodayColumns, TodayLayout, useShownPerson } from "./today-layout.tsx";

const views = ["list", "board"] as const;
/** Groups that are shown as numbers: their orders are in a group that says what is to be done, or elsewhere. */
const figures: readonly OrderGroup[] = ["late", "dueToday", "dueSoon", "atClinic"];
const isFigure = (group: OrderGroup): boolean => figures.includes(group);

/** The day of a laboratory: as a list of what is to be done, or as a board of its stages. */
export function LabToday() {
  const t = useTexts("today", "order");
  const setSearch = useSetSearchParams();
  const view = useSearchParams()["view"] === "board" ? "board" : "list";
  const personId = useShownPerson();
  const today = useCall(
    orderTodayCalls.today,
    { view: view === "board" ? "board" : "today", ...(personId !== undefined && { personId }) },
    { keepPrevious: true },
  );
  return (
    <TodayLayout
      isPersonal
      {...(view === "board" && { description: t("today.move.says") })}
      actions={
        <SegmentedControl
          aria-label={t("today.view")}
          value={view}
          onChange={(chosen) => setSearch({ view: chosen === "board" ? "board" : undefined })}
          data={views.map((value) => ({ value, label: t(`today.${value}`) }))}
        />
      }
    >
      <QueryResult of={today}>
        {({ day, groups, load }) =>
          view === "board" ? (
            <OrderBoard columns={groups} people={load} day={day} personId={personId} />
          ) : (
            <TodayColumns aside={<Workload load={load} />}>
              <DueFigures groups={groups.filter(({ group }) => isFigure(group))} day={day} personId={personId} />
              {groups.every(({ group, total }) => isFigure(group) || total === 0) && <NothingWaits />}
              {groups
                .filter(({ group, total }) => !isFigure(group) && total > 0)
                .map((group) => (
                  <OrderGroupSection key={group.group} {...group} day={day} personId={personId} people={load} />
                ))}
            </TodayColumns>
          )
        }
      </QueryResult>
    </TodayLayout>
  );
}
