import { Alert, Button, Group, Modal, ScrollArea, Stack, Table } from "@mantine/core";
import { IconAlertTriangle, IconFileTypePdf, IconTable } from "@tabler/icons-react";
import { useState } from "react";
import { capacityCalls } from "@arcada/contract/capacity/capacity.calls";
import type { Output } from "@arcada/contract/kernel/call";
import { ask } from "../data/ask.ts";
import { useTexts } from "../i18n/texts.ts";
import { formatCardNumber } from "./format-capacity.ts";

type IssuedBatch = Output<typeof capacityCalls.issue>;

// In ms: creating a document of 500 cards takes long.
const printTimeoutMs = 60_000;

/**
 * Numbers and secrets, shown only once: to print, or to copy into a spreadsheet. The dialog closes by its own button
 * only.
 */
export function IssuedCards({ issued, onClose }: { issued: IssuedBatch; onClose: () => void }) {
  const t = useTexts("cards");
  const { cards, batch } = issued;
  const [isPrinting, setPrinting] = useState(false);
  const print = async () => {
    setPrinting(true);
    try {
      const { paper } = await ask(capacityCalls.print, { batch, cards }, { timeout: printTimeoutMs });
      saveFile(`cards-${batch}.pdf`, decodeBase64(paper), "application/pdf");
    } catch {
      // The error was shown, and the secrets are still here.
    } finally {
      setPrinting(false);
    }
  };
  const titles = [t("cards.column.number"), t("cards.column.secret")] as const;
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
      title={t("cards.issued.title", { count: cards.length })}
    >
      <Stack gap="md">
        <Alert color="yellow" variant="light" icon={<IconAlertTriangle size={18} aria-hidden />}>
          {t("cards.issued.once")}
        </Alert>
        <Group gap="sm">
          <Button
            leftSection={<IconFileTypePdf size={18} aria-hidden />}
            loading={isPrinting}
            onClick={() => void print()}
            data-autofocus
          >
            {t("cards.issued.pdf")}
          </Button>
          <Button
            variant="default"
            leftSection={<IconTable size={18} aria-hidden />}
            onClick={() => saveFile(`cards-${batch}.csv`, toCsv(titles, cards), "text/csv")}
          >
            {t("cards.issued.csv")}
          </Button>
        </Group>
        <SecretsTable titles={titles} cards={cards} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t("cards.issued.close")}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

function SecretsTable({ titles, cards }: { titles: readonly string[]; cards: IssuedBatch["cards"] }) {
  return (
    <ScrollArea.Autosize mah={320} type="auto">
      <Table verticalSpacing={4}>
        <Table.Thead>
          <Table.Tr>
            {titles.map((title) => (
              <Table.Th key={title}>{title}</Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {cards.map(({ number, secret }) => (
            <Table.Tr key={number} className="arcada-figures">
              <Table.Td dir="ltr">{formatCardNumber(number)}</Table.Td>
              <Table.Td dir="ltr">{formatCardNumber(secret)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollArea.Autosize>
  );
}

const decodeBase64 = (base64: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(base64), (letter) => letter.codePointAt(0)!);

// The byte order mark at the beginning identifies UTF-8 to spreadsheets.
const toCsv = (titles: readonly string[], cards: IssuedBatch["cards"]): string =>
  `\uFEFF${[titles, ...cards.map(({ number, secret }) => [formatCardNumber(number), formatCardNumber(secret)])]
    .map((row) => row.map((cell) => `"${cell}"`).join(","))
    .join("\r\n")}\r\n`;

function saveFile(name: string, content: BlobPart, type: string): void {
  const url = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
