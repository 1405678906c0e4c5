import { Button, Modal, Table, Text } from "@mantine/core";
import { useState } from "react";
import { annotationCalls } from "@arcada/contract/study/annotation.calls";
import { ask } from "../../../data/ask.ts";
import { formatTimestamp } from "../../../i18n/format.ts";
import { useTexts } from "../../../i18n/texts.ts";
import { useCall } from "../../../data/use-call.ts";
import { QueryResult } from "../../../ui/query-result.tsx";
import type { AnnotationStore } from "./use-annotations.ts";

interface Props {
  studyId: string;
  annotations: AnnotationStore;
  onClose: () => void;
}

/** The saved versions of the annotations, each of which can be restored. */
export function AnnotationVersionsDialog({ studyId, annotations, onClose }: Props) {
  const t = useTexts("viewer");
  return (
    <Modal
      opened
      onClose={onClose}
      title={t("viewer.versions.title")}
      closeButtonProps={{ "aria-label": t("viewer.versions.close") }}
    >
      <Versions studyId={studyId} annotations={annotations} onDone={onClose} />
    </Modal>
  );
}

function Versions({
  studyId,
  annotations,
  onDone,
}: {
  studyId: string;
  annotations: AnnotationStore;
  onDone: () => void;
}) {
  const t = useTexts("viewer");
  const query = useCall(annotationCalls.markVersions, { id: studyId });
  const [busy, setBusy] = useState<number | null>(null);
  const restore = async (version: number) => {
    setBusy(version);
    // `ask` has shown the error already.
    const found = await ask(annotationCalls.marks, { id: studyId, version }).catch(() => null);
    setBusy(null);
    if (!found) return;
    annotations.replace(found.marks);
    onDone();
  };
  return (
    <QueryResult of={query} empty={<Text size="sm">{t("viewer.versions.none")}</Text>}>
      {(versions) => (
        <>
          <Text size="sm" mb="sm">
            {t("viewer.versions.help")}
          </Text>
          <Table verticalSpacing={6} fz="sm">
            <Table.Tbody>
              {versions.map(({ version, savedAt, savedBy, count }) => (
                <Table.Tr key={version}>
                  <Table.Td>
                    {formatTimestamp(savedAt)}
                    <br />
                    {savedBy} · {t("viewer.versions.count", { count })}
                  </Table.Td>
                  <Table.Td ta="end">
                    <Button
                      size="compact-sm"
                      variant="light"
                      loading={busy === version}
                      onClick={() => void restore(version)}
                    >
                      {t("viewer.versions.restore")}
                    </Button>
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </>
      )}
    </QueryResult>
  );
}
