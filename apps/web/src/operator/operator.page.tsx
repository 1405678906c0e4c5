import { Button, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { operatorCalls } from "@arcada/contract/operator/operator.calls";
import type { Output } from "@arcada/contract/kernel/call";
import type { ScreenName } from "@arcada/contract/screens";
import { formatBytes, formatList } from "../i18n/format.ts";
import { ScreenLink } from "../browser/navigation.tsx";
import { useTexts, translateDynamic } from "../i18n/texts.ts";
import type { Translate } from "../i18n/texts.ts";
import { useCall } from "../data/use-call.ts";
import { QueryResult } from "../ui/query-result.tsx";
import { PageBody, Section } from "../ui/page.tsx";
import { LoadingState } from "../ui/page-states.tsx";
import { HealthLights } from "./health-lights.tsx";
import classes from "./operator.module.css";

type Overview = Output<typeof operatorCalls.overview>;

/** The operator's console: totals of all records, and the health of the instance. */
export function Page() {
  const t = useTexts("operator");
  const query = useCall(operatorCalls.overview, {}, { pollMs: 30_000 });
  const waiting = (
    <Section>
      <LoadingState />
    </Section>
  );
  return (
    <PageBody title={t("operator.title")} description={t("operator.says")}>
      <QueryResult of={query} loading={waiting}>
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
              <HealthLights lights={found.lights} />
            </Section>
            <div className={classes.tiles}>
              <OverviewTiles found={found} />
            </div>
          </Stack>
        )}
      </QueryResult>
    </PageBody>
  );
}

function OverviewTiles({ found }: { found: Overview }) {
  const t = useTexts("operator");
  const { organisations, uploads } = found;
  return (
    <>
      <Tile
        to="organisations"
        name={t("operator.count.organisations")}
        figure={organisations.clinic + organisations.lab}
        more={t("operator.count.byType", organisations)}
      />
      <Tile name={t("operator.count.people")} figure={found.people} />
      <Tile
        to="devices"
        name={t("operator.count.devices")}
        figure={sumCounts(found.devices)}
        more={describeCounts(t, "device", found.devices)}
      />
      <Tile
        to="cards"
        name={t("operator.count.cards")}
        figure={sumCounts(found.cards)}
        more={describeCounts(t, "card", found.cards)}
      />
      <Tile
        to="upgradePackages"
        name={t("operator.count.packages")}
        figure={sumCounts(found.packages)}
        more={describeCounts(t, "package", found.packages)}
      />
      <Tile
        to="myWorkOrder"
        name={t("operator.count.workOrders")}
        figure={sumCounts(found.workOrders) - (found.workOrders["finished"] ?? 0) - (found.workOrders["closed"] ?? 0)}
        more={describeCounts(t, "workOrder", omitEnded(found.workOrders))}
      />
      <Tile
        name={t("operator.count.uploads")}
        figure={uploads.files}
        more={uploads.files > 0 ? formatBytes(uploads.bytes) : undefined}
      />
      <Tile to="systemHealth" name={t("operator.count.errors")} figure={found.errors} />
    </>
  );
}

const sumCounts = (counts: Record<string, number>): number =>
  Object.values(counts).reduce((all, figure) => all + figure, 0);
const omitEnded = (counts: Record<string, number>): Record<string, number> =>
  Object.fromEntries(Object.entries(counts).filter(([state]) => state !== "finished" && state !== "closed"));
const describeCounts = (t: Translate, subject: string, counts: Record<string, number>): string =>
  formatList(
    Object.entries(counts).map(([state, count]) =>
      translateDynamic(t, `operator.state.${subject}.${state}`, state, { count }),
    ),
  );

interface TileProps {
  to?: ScreenName;
  name: string;
  figure: number;
  more?: ReactNode;
}
function Tile({ to, name, figure, more }: TileProps) {
  const content = (
    <>
      <Text size="sm" c="dimmed">
        {name}
      </Text>
      <div className={classes.figure}>{figure}</div>
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
