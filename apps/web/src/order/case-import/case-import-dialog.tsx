import { Alert, Button, Group, Loader, Modal, Radio, Stack, Text } from "@mantine/core";
import { useState } from "react";
import type { FoundCase } from "@arcada/exchange/scan-folder/read-cases";
import { toast } from "../../browser/toast.ts";
import { useTexts } from "../../i18n/texts.ts";
import { FileDropZone } from "../../ui/upload/file-drop.tsx";
import type { CaseImportProps } from "./case-import.tsx";
import { CaseCheck } from "./case-check.tsx";
import type { DropProblem } from "./dropped-case-reader.ts";
import { useDroppedCase } from "./use-dropped-case.ts";

/** Shows what a dropped case says and what of it is guessed or dropped, before the order is filled from it. */
export function CaseImportDialog({ onClose, ...props }: CaseImportProps & { onClose: () => void }) {
  const t = useTexts("labCase", "order");
  const { files, draft } = props;
  const { state, unpack } = useDroppedCase(files.dropped, draft.targetIid);
  return (
    <Modal
      opened
      onClose={onClose}
      size="xl"
      title={t("labCase.import.title")}
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      <Stack gap="md">
        {state.step === "empty" && <FileDropZone hint={t("labCase.import.hint")} onChosen={files.setDropped} />}
        {state.step === "reading" && <Waiting text={t("labCase.import.reading")} />}
        {state.step === "failed" && <Failed problem={state.problem} {...props} onClose={onClose} />}
        {state.step === "read" && <Cases cases={state.cases} unpack={unpack} {...props} onClose={onClose} />}
      </Stack>
    </Modal>
  );
}

export const Waiting = ({ text }: { text: string }) => (
  <Group gap="sm" role="status" py="md">
    <Loader size="sm" />
    <Text size="sm">{text}</Text>
  </Group>
);

function Failed({ problem, onClose, ...props }: CaseImportProps & { problem: DropProblem; onClose: () => void }) {
  const t = useTexts("labCase");
  return (
    <>
      <Alert color="red" role="alert">
        {t(`labCase.problem.${problem}`)}
      </Alert>
      <OtherWays {...props} onClose={onClose} />
    </>
  );
}

/** An archive of photographs, for instance, is attached as it is. */
function OtherWays({ files, onClose }: Pick<CaseImportProps, "files"> & { onClose: () => void }) {
  const t = useTexts("labCase");
  const attach = () => {
    if (files.dropped) files.addPlain(files.dropped);
    onClose();
  };
  return (
    <Group justify="flex-end" gap="sm">
      <Button variant="default" onClick={() => files.setDropped(null)}>
        {t("labCase.import.again")}
      </Button>
      <Button variant="default" onClick={attach}>
        {t("labCase.import.asFiles")}
      </Button>
    </Group>
  );
}

interface CasesProps extends CaseImportProps {
  cases: FoundCase[];
  unpack: ReturnType<typeof useDroppedCase>["unpack"];
  onClose: () => void;
}
function Cases({ cases, unpack, onClose, ...props }: CasesProps) {
  const t = useTexts("labCase", "order");
  const [chosen, setChosen] = useState(cases.length === 1 ? "0" : null);
  const found = chosen === null ? undefined : cases[Number(chosen)];
  if (cases.length === 0)
    return (
      <>
        <Alert role="alert">{t("labCase.import.none")}</Alert>
        <OtherWays files={props.files} onClose={onClose} />
      </>
    );
  return (
    <>
      {cases.length > 1 && (
        <Radio.Group label={t("labCase.import.which")} value={chosen} onChange={setChosen}>
          <Stack gap="xs" mt="xs">
            {cases.map(({ name, files, content }, at) => (
              <Radio
                key={at}
                value={String(at)}
                label={name || t("labCase.import.unnamed")}
                description={[
                  t(`labCase.program.${content.program}`),
                  t("labCase.import.files", { count: files.length }),
                ].join(" · ")}
              />
            ))}
          </Stack>
        </Radio.Group>
      )}
      {found && (
        <CaseCheck
          key={chosen}
          found={found}
          {...props}
          unpack={unpack}
          onClose={onClose}
          onFilled={() => {
            toast("success", t("labCase.import.filled"));
            onClose();
          }}
        />
      )}
    </>
  );
}
