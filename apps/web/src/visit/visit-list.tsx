import { Button, Stack, Switch } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useState } from "react";
import { visitCalls, visitRules, type Visit } from "@arcada/contract/visit/visit.calls";
import { useTexts } from "../i18n/texts.ts";
import { useCall } from "../data/use-call.ts";
import { QueryResult } from "../ui/query-result.tsx";
import { Section } from "../ui/page.tsx";
import { EmptyState } from "../ui/page-states.tsx";
import { VisitCard } from "./visit-card.tsx";
import { VisitForm } from "./visit-form.tsx";

const initialCount = 10;

/** The visits of a patient with findings and treatments, the newest first. */
export function VisitList({ patientId }: { patientId: string }) {
  const t = useTexts("visit");
  const [shown, setShown] = useState<Visit | "new" | null>(null);
  const [isBin, setBin] = useState(false);
  const add = (
    <Button leftSection={<IconPlus size={17} aria-hidden />} onClick={() => setShown("new")}>
      {t("visit.add")}
    </Button>
  );
  return (
    <Section
      title={t("visit.title")}
      description={t("visit.says")}
      actions={
        <>
          <Switch
            size="xs"
            label={t("visit.bin")}
            checked={isBin}
            onChange={(event) => setBin(event.currentTarget.checked)}
          />
          {!isBin && add}
        </>
      }
    >
      <VisitCards key={String(isBin)} patientId={patientId} isBin={isBin} onChange={setShown} />
      <VisitForm
        opened={shown !== null}
        patientId={patientId}
        visit={shown === "new" ? null : shown}
        onClose={() => setShown(null)}
      />
    </Section>
  );
}

interface VisitCardsProps {
  patientId: string;
  isBin: boolean;
  onChange: (visit: Visit) => void;
}

function VisitCards({ patientId, isBin, onChange }: VisitCardsProps) {
  const t = useTexts("visit");
  const [pageSize, setPageSize] = useState<number>(initialCount);
  const which = isBin ? "removed" : "living";
  const query = useCall(visitCalls.list, { patientId, which, pageSize }, { keepPrevious: true });
  return (
    <QueryResult
      of={query}
      isEmpty={({ list }) => list.length === 0}
      empty={
        <EmptyState title={t(isBin ? "visit.binEmpty" : "visit.none")} {...(!isBin && { text: t("visit.noneText") })} />
      }
    >
      {({ list, next }) => (
        <Stack gap="md">
          {list.map((visit) => (
            <VisitCard key={visit.id} visit={visit} onChange={() => onChange(visit)} />
          ))}
          {next !== null && pageSize < visitRules.maxPageSize && (
            <Button
              variant="subtle"
              size="compact-sm"
              loading={query.isFetching}
              onClick={() => setPageSize((now) => Math.min(visitRules.maxPageSize, now + initialCount))}
            >
              {t("visit.older")}
            </Button>
          )}
        </Stack>
      )}
    </QueryResult>
  );
}
