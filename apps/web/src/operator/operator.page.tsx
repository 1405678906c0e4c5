import { Button, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { operatorCalls } from "@arcada/contract/operator/operator.calls";
import type { Output } from "@arcada/contract/kernel/call";
import type { ScreenName } from "@arcada/contract/screens";
import { showBytes, showList } from "../kernel/format.ts";
import { ScreenLink } from "../kernel/link.tsx";
import { useTexts } from "../kernel/texts.ts";
import type { Translate } from "../kernel/texts.ts";
import { useCall } from "../kernel/use-call.ts";
import { Answer } from "../ui/answer.tsx";
import { PageBody, Section } from "../ui/page.tsx";
import { LoadingState } from "../ui/states.tsx";
import { Lights } from "./lights.tsx";
import classes from "./operator.module.css";

type Overview = Output<typeof operatorCalls.overview>;

/** The operator's start page: totals of all records, and the health of the instance. */
export function Page() {
  const t = useTexts("operator");
  const query = useCall(operatorCalls.overview, {}, { every: 30_000 });
  const waiting = (
    <Section>
      <LoadingState />
    </Section>
  );
  return (
    <PageBody title={t("operator.title")} says={t("operator.says")}>
      <Answer of={query} waiting={waiting}>
        {(found) => (
          <Stack gap="lg">
            <Section
              title={t("operator.lights")}
              actions={
                <Button component={ScreenLink} screen="systemHealth" variant="default" size="xs">
                  {t("operator.toHealth")}
                </Button>
              }
            >
              <Lights lights={found.lights} />
            </Section>
            <div className={classes.tiles}>
              <Tiles found={found} />
            </div>
          </Stack>
        )}
      </Answer>
    </PageBody>
  );
}

function Tiles({ found }: { found: Overview }) {
  const t = useTexts("operator");
  const { organisations, uploads } = found;
  return (
    <>
      <Tile
        to="organisations"
        name={t("operator.count.organisations")}
        n={organisations.clinic + organisations.lab}
        more={t("operator.count.byType", organisations)}
      />
      <Tile name={t("operator.count.people")} n={found.people} />
      <Tile
        to="devices"
        name={t("operator.count.devices")}
        n={sum(found.devices)}
        more={parts(t, "device", found.devices)}
      />
      <Tile to="cards" name={t("operator.count.cards")} n={sum(found.cards)} more={parts(t, "card", found.cards)} />
      <Tile
        to="upgradePackages"
        name={t("operator.count.packages")}
        n={sum(found.packages)}
        more={parts(t, "package", found.packages)}
      />
      <Tile
        to="myWorkOrder"
        name={t("operator.count.workOrders")}
        n={sum(found.workOrders) - (found.workOrders["finished"] ?? 0) - (found.workOrders["closed"] ?? 0)}
        more={parts(t, "workOrder", withoutEnded(found.workOrders))}
      />
      <Tile
        name={t("operator.count.uploads")}
        n={uploads.files}
        more={uploads.files > 0 ? showBytes(uploads.bytes) : undefined}
      />
      <Tile to="systemHealth" name={t("operator.count.errors")} n={found.errors} />
    </>
  );
}

const sum = (counts: Record<string, number>): number => Object.values(counts).reduce((all, n) => all + n, 0);
const withoutEnded = (counts: Record<string, number>): Record<string, number> =>
  Object.fromEntries(Object.entries(counts).filter(([state]) => state !== "finished" && state !== "closed"));
const parts = (t: Translate, of: string, counts: Record<string, number>): string =>
  showList(Object.entries(counts).map(([state, count]) => t(`operator.state.${of}.${state}`, { count })));

interface TileProps {
  to?: ScreenName;
  name: string;
  n: number;
  more?: ReactNode;
}
function Tile({ to, name, n, more }: TileProps) {
  const content = (
    <>
      <Text size="sm" c="dimmed">
        {name}
      </Text>
      <div className={classes.figure}>{n}</div>
      {more && <Text size="xs">{more}</Text>}
    </>
  );
  return to ? (
    <ScreenLink screen={to} className={classes.tile}>
      {content}
    </ScreenLink>
  ) : (
    <div className={classes.tile}>{content}</div>
  );
}
