import { Button } from "@mantine/core";
import { IconTableExport } from "@tabler/icons-react";
import { useState } from "react";

/** Downloads a spreadsheet from the address that `prepare` asks the server for. A refusal is shown by the call itself. */
export function ExportButton({ label, prepare }: { label: string; prepare: () => Promise<{ url: string }> }) {
  const [isBusy, setBusy] = useState(false);
  const startExport = async () => {
    setBusy(true);
    try {
      location.assign((await prepare()).url);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button
      variant="default"
      loading={isBusy}
      leftSection={<IconTableExport size={18} aria-hidden />}
      onClick={() => void startExport().catch(() => {})}
    >
      {label}
    </Button>
  );
}
