import { Text } from "@mantine/core";
import type { PersonLoad } from "@arcada/contract/order/order-today.calls";
import { workStates } from "@arcada/contract/order/order-today.calls";
import { ScreenLink } from "../../browser/navigation.tsx";
import { useTexts } from "../../i18n/texts.ts";
import { Section } from "../../ui/page.tsx";
import classes from "./todays-orders.module.css";

/** The open orders of each person of the laboratory, and how many of them are late or due within a week. */
export function Workload({ load }: { load: readonly PersonLoad[] }) {
  const t = useTexts("today");
  const most = Math.max(1, ...load.map(({ open }) => open));
  return (
    <Section title={t("today.load.title")} flush>
      <ul className={classes.rows}>
        {load.map((person) => (
          <li key={person.id}>
            <ScreenLink
              screen="orderList"
              search={{ personId: person.id, states: workStates.join(","), sort: "due" }}
              className={classes.load}
            >
              <span className={classes.line}>
                <Text component="span" size="sm" fw={600} truncate>
                  {person.name}
                </Text>
                <Text component="span" size="sm" className="arcada-figures">
                  {t("today.load.open", { count: person.open })}
                </Text>
              </span>
              <span className={classes.bar} aria-hidden>
                <span className={classes.late} style={{ width: `${(100 * person.late) / most}%` }} />
                <span className={classes.week} style={{ width: `${(100 * person.week) / most}%` }} />
                <span
                  className={classes.later}
                  style={{ width: `${(100 * (person.open - person.late - person.week)) / most}%` }}
                />
              </span>
              <Text component="span" size="xs" c="dimmed" className="arcada-figures">
                {t("today.load.week", { count: person.week })}
                {person.late > 0 && (
                  <span className={classes.lateText}> · {t("today.load.late", { count: person.late })}</span>
                )}
              </Text>
            </ScreenLink>
          </li>
        ))}
      </ul>
    </Section>
  );
}
