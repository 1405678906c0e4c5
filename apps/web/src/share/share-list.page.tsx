import { Box, Button } from "@mantine/core";
import { useState } from "react";
import { pageSizes } from "@arcada/contract/kernel/fields";
import { screens } from "@arcada/contract/screens";
import { shareCalls } from "@arcada/contract/share/share.calls";
import { ScreenLink } from "../browser/navigation.tsx";
import { useCanAccess } from "../session/permission-gate.tsx";
import { useTexts } from "../i18n/texts.ts";
import { useCall } from "../data/use-call.ts";
import { QueryResult } from "../ui/query-result.tsx";
import { Choice } from "../ui/form/choice-field.tsx";
import { Pager } from "../ui/pager.tsx";
import { PageBody, Section } from "../ui/page.tsx";
import { EmptyState } from "../ui/page-states.tsx";
import classes from "./share-list.module.css";
import { ShareTable } from "./share-table.tsx";

type SharePart = "living" | "ended";

/** Every link of the institution: its content, its recipient and its actions. */
export function Page() {
  const t = useTexts("share", "study");
  const [part, setPart] = useState<SharePart>("living");
  const [page, setPage] = useState(1);
  const query = useCall(shareCalls.list, { part, page }, { keepPrevious: true });
  const pages = Math.ceil((query.data?.total ?? 0) / pageSizes.default);
  return (
    <PageBody
      title={t("share.title")}
      description={t("share.says")}
      actions={
        <Box className={classes.part}>
          <Choice
            label={t("share.part.label")}
            value={part}
            options={(["living", "ended"] as const).map((value) => ({ value, label: t(`share.part.${value}`) }))}
            onChange={(chosen) => {
              setPart(chosen);
              setPage(1);
            }}
          />
        </Box>
      }
    >
      <Section flush>
        <QueryResult of={query} isEmpty={({ total }) => total === 0} empty={<EmptyShareList part={part} />}>
          {({ list }) => <ShareTable shares={list} />}
        </QueryResult>
      </Section>
      <Pager pages={pages} page={page} onPage={setPage} />
    </PageBody>
  );
}

function EmptyShareList({ part }: { part: SharePart }) {
  const t = useTexts("share");
  const screen = useCanAccess(screens.patientList) ? "patientList" : "orderList";
  if (part === "ended") return <EmptyState title={t("share.empty.ended")} />;
  return (
    <EmptyState title={t("share.empty.living")} text={t("share.empty.livingText")}>
      <Button component={ScreenLink} screen={screen} variant="default">
        {t(`shell.screen.${screen}`)}
      </Button>
    </EmptyState>
  );
}
