import { Alert, Button, SegmentedControl, Stack } from "@mantine/core";
import { IconBell, IconSearch } from "@tabler/icons-react";
import { useState } from "react";
import { relationCalls } from "@arcada/contract/relation/relation.calls";
import type { Relation } from "@arcada/contract/relation/relation.calls";
import { useMay } from "../kernel/permit.tsx";
import { useUser } from "../kernel/session.ts";
import { useTexts } from "../kernel/texts.ts";
import { useCall } from "../kernel/use-call.ts";
import { Answer } from "../ui/answer.tsx";
import { PageBody, Section } from "../ui/page.tsx";
import { EmptyState } from "../ui/states.tsx";
import { FindInstitution } from "./find-institution.tsx";
import { RelationPicture } from "./relation-picture.tsx";
import { RelationTable } from "./relation-table.tsx";

/** With whom the organisation works: as a list with what can be done, and as a picture. */
export function Page() {
  const t = useTexts("relation", "institution");
  const user = useUser();
  const mayAsk = useMay(relationCalls.step);
  const query = useCall(relationCalls.list, {});
  const [isFinding, setFinding] = useState(false);
  const [view, setView] = useState("list");
  const waiting = (query.data ?? []).filter(isWaiting).length;
  const find = mayAsk && (
    <Button leftSection={<IconSearch size={18} />} onClick={() => setFinding(true)}>
      {t("relation.ask")}
    </Button>
  );
  return (
    <PageBody title={t("relation.title")} says={t("relation.says")} actions={find}>
      <Stack gap="lg">
        {mayAsk && waiting > 0 && (
          <Alert variant="light" icon={<IconBell size={18} />} role="status">
            {t("relation.waiting", { count: waiting })}
          </Alert>
        )}
        <Section flush actions={<Views view={view} onChange={setView} />} title={t("relation.partners")}>
          <Answer
            of={query}
            empty={
              <EmptyState
                title={t("relation.empty")}
                text={t(mayAsk ? "relation.emptyText" : "relation.emptyForMember")}
              >
                {find}
              </EmptyState>
            }
          >
            {(relations) =>
              view === "list" ? (
                <RelationTable relations={relations} />
              ) : (
                <RelationPicture relations={relations} own={user.institution?.name ?? ""} />
              )
            }
          </Answer>
        </Section>
      </Stack>
      <FindInstitution opened={isFinding} onClose={() => setFinding(false)} own={user} relations={query.data ?? []} />
    </PageBody>
  );
}

function Views({ view, onChange }: { view: string; onChange: (view: string) => void }) {
  const t = useTexts("relation");
  return (
    <SegmentedControl
      size="xs"
      value={view}
      onChange={onChange}
      data={[
        { value: "list", label: t("relation.viewList") },
        { value: "picture", label: t("relation.viewPicture") },
      ]}
      aria-label={t("relation.filter")}
    />
  );
}

/** Asked by the other side and not answered yet. */
const isWaiting = ({ state, mine }: Relation): boolean => state === "requested" && !mine;
