import { Alert, Button, FileButton, Group, List, Modal, Stack, Text, Textarea } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { useState } from "react";
import { deviceCalls } from "@arcada/contract/device/device.calls";
import { deviceRules } from "@arcada/contract/device/device.rules";
import type { Output } from "@arcada/contract/kernel/call";
import { useTexts } from "../i18n/texts.ts";
import { useCommand } from "../data/use-command.ts";

type Registered = Output<typeof deviceCalls.registerList>;
const exampleCsv = "serialNumber,product,model,firmware\nSN-1001,Smile CBCT,S1,3.2";

/** Registers many devices at once, pasted or from a CSV file, then offers their codes as a file, only once. */
export function RegisterListDialog({ onClose }: { onClose: () => void }) {
  const t = useTexts("device");
  const [text, setText] = useState("");
  const [answer, setAnswer] = useState<Registered | null>(null);
  const register = useCommand(deviceCalls.registerList);
  const changeText = (lines: string) => {
    setText(lines);
    // The reported problems belong to the earlier lines.
    setAnswer(null);
  };
  const isDone = answer !== null && answer.made.length > 0;
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      closeOnClickOutside={!isDone}
      closeOnEscape={!isDone}
      title={t("device.many.title")}
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      {isDone ? (
        <Codes made={answer.made} onClose={onClose} />
      ) : (
        <Stack gap="md">
          <Text size="sm">{t("device.many.text", { most: deviceRules.maxListSize })}</Text>
          <Textarea
            label={t("device.many.lines")}
            placeholder={exampleCsv}
            dir="ltr"
            autosize
            minRows={6}
            maxRows={14}
            data-autofocus
            value={text}
            onChange={(event) => changeText(event.currentTarget.value)}
          />
          <Problems problems={answer?.problems ?? []} />
          <Group justify="space-between" gap="sm">
            <CsvButton key={text} onText={changeText} />
            <Group gap="sm">
              <Button variant="default" onClick={onClose}>
                {t("common.cancel")}
              </Button>
              <Button
                loading={register.busy}
                disabled={text.trim() === ""}
                onClick={() => void register.run({ text }).then((done) => done && setAnswer(done.data))}
              >
                {t("device.register.submit")}
              </Button>
            </Group>
          </Group>
        </Stack>
      )}
    </Modal>
  );
}

function CsvButton({ onText }: { onText: (text: string) => void }) {
  const t = useTexts("device");
  return (
    <FileButton accept=".csv,.txt,text/csv,text/plain" onChange={(file) => void file?.text().then(onText)}>
      {(props) => (
        <Button variant="default" {...props}>
          {t("device.many.file")}
        </Button>
      )}
    </FileButton>
  );
}

function Problems({ problems }: Pick<Registered, "problems">) {
  const t = useTexts("device");
  if (problems.length === 0) return null;
  return (
    <Alert color="red" title={t("device.many.problems")} role="alert">
      <List size="sm">
        {problems.slice(0, 50).map(({ line, problem, value }) => (
          <List.Item key={`${line} ${problem}`}>
            {t("device.many.line", { line })} {t(`device.many.problem.${problem}`, { value })}
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}

function Codes({ made: registered, onClose }: Pick<Registered, "made"> & { onClose: () => void }) {
  const t = useTexts("device");
  return (
    <Stack gap="md">
      <Text size="sm">
        {t("device.many.made", { number: registered.length })} {t("device.many.once", { days: deviceRules.codeDays })}
      </Text>
      <Group justify="flex-end" gap="sm">
        <Button variant="default" onClick={onClose}>
          {t("common.close")}
        </Button>
        <Button
          leftSection={<IconDownload size={16} aria-hidden />}
          onClick={() => saveCsv(toCsv(registered))}
          data-autofocus
        >
          {t("device.many.save")}
        </Button>
      </Group>
    </Stack>
  );
}

// Quotes a cell that begins like a formula, because a spreadsheet would execute it.
const toCell = (text: string): string => `"${(/^[=+\-@\t\r]/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;
const toCsv = (registered: Registered["made"]): string =>
  [
    "serialNumber,product,model,activationCode",
    ...registered.map((one) => [one.serialNumber, one.product, one.model, one.activationCode].map(toCell).join(",")),
  ].join("\r\n");

function saveCsv(csv: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([`\uFEFF${csv}\r\n`], { type: "text/csv" }));
  link.download = "activation-codes.csv";
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
