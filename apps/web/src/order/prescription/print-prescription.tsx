import { Button } from "@mantine/core";
import type { ButtonProps } from "@mantine/core";
import { IconPrinter } from "@tabler/icons-react";
import { useState } from "react";
import { prescriptionCalls } from "@arcada/contract/order/prescription-paper.calls";
import { ask } from "../../data/ask.ts";
import { useTexts } from "../../i18n/texts.ts";
import { useToothScheme } from "../../i18n/tooth-notation.ts";

interface PrintProps extends ButtonProps {
  id: string;
  /** Runs first, for example to save typed input. */
  beforePrint?: () => Promise<void>;
}

/** Opens the printable prescription in a new tab, in the reader's language and tooth numbering scheme. */
export function PrintPrescription({ id, beforePrint, ...buttonProps }: PrintProps) {
  const t = useTexts("order");
  const teeth = useToothScheme();
  const [busy, setBusy] = useState(false);
  const open = async () => {
    setBusy(true);
    try {
      await beforePrint?.();
      const { url } = await ask(prescriptionCalls.prescription, { id, teeth });
      Object.assign(document.createElement("a"), { href: url, target: "_blank", rel: "noopener" }).click();
    } catch {
      // The error is already reported.
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button
      variant="default"
      size="xs"
      leftSection={<IconPrinter size={16} stroke={1.6} aria-hidden />}
      loading={busy}
      onClick={() => void open()}
      {...buttonProps}
    >
      {t("order.print.button")}
    </Button>
  );
}
