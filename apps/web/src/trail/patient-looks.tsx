import { Anchor, Button, Text } from "@mantine/core";
import { useState } from "react";
import { trailCalls, trailRules, type Look } from "@arcada/contract/trail/trail.calls";
import { showTime } from "../kernel/format.ts";
import { ScreenLink } from "../kernel/link.tsx";
import { useTexts, type Translate } from "../kernel/texts.ts";
import { useCall } from "../kernel/use-call.ts";
import { Answer } from "../ui/answer.tsx";
import { DataTable, type Column } from "../ui/data-table.tsx";
import { Section } from "../ui/page.tsx";
import { EmptyState } from "../ui/states.tsx";

/** The users who viewed or changed a patient's record, the latest first. */
export function PatientLookList({ patientId }: { patientId: string }) {
  const t = useTexts("trail", "order");
  const [pageSize, setPageSize] = useState<number>(trailRules.page);
  const query = useCall(trailCalls.looks, { id: patientId, pageSize }, { keep: true });
  return (
    <Section title={t("trail.looks.title")} says={t("trail.looks.says")} flush>
      <Answer of={query} isEmpty={({ list }) => list.length === 0} empty={<EmptyState title={t("trail.looks.none")} />}>
        {({ list, next }) => (
          <>
            <DataTable
              label={t("trail.looks.title")}
              columns={columnsOf(t)}
              rows={together(list)}
              rowKey={({ id }) => id}
            />
            {next !== null && pageSize < trailRules.most && (
              <Button
                variant="subtle"
                m="sm"
                loading={query.isFetching}
                onClick={() => setPageSize((now) => Math.min(trailRules.most, now + trailRules.page))}
              >
                {t("trail.more")}
              </Button>
            )}
          </>
        )}
      </Answer>
    </Section>
  );
}

interface Looks extends Look {
  times: number;
}

/** An open page requests the record repeatedly, so identical views by the same person are combined with a count. */
function together(list: readonly Look[]): Looks[] {
  const lines: Looks[] = [];
  for (const look of list) {
    const last = lines.at(-1);
    if (last && sameOf(last) === sameOf(look)) last.times += 1;
    else lines.push({ ...look, times: 1 });
  }
  return lines;
}
const sameOf = ({ who, house, action, step, order, share }: Look): string =>
  JSON.stringify([who, house, action, step, order?.id, share]);

const columnsOf = (t: Translate): Column<Looks>[] => [
  {
    key: "at",
    title: t("trail.when"),
    narrow: "head",
    show: ({ at }) => <span className="arcada-figures">{showTime(at)}</span>,
  },
  {
    key: "who",
    title: t("trail.who"),
    show: ({ who, house, share }) => who ?? house ?? (share === null ? t("trail.system") : t("trail.looks.visitor")),
  },
  {
    key: "what",
    title: t("trail.what"),
    show: ({ action, step, times }) => {
      const words = t(`trail.action.${action}`);
      const done = step ? `${words}: ${t(`order.action.${step}`)}` : words;
      return times > 1 ? t("trail.looks.times", { done, times }) : done;
    },
  },
  { key: "through", title: t("trail.looks.through"), show: (look) => <Through look={look} /> },
];

function Through({ look: { order, share } }: { look: Look }) {
  const t = useTexts("trail");
  if (order)
    return (
      <Anchor component={ScreenLink} screen="orderDetail" search={{ id: order.id }} size="sm">
        {t("trail.openOrder", { number: order.number })}
      </Anchor>
    );
  return share === null ? null : <Text size="sm">{t("trail.looks.link", { label: share })}</Text>;
}
