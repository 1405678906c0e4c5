import { Button } from "@mantine/core";
import { IconFileImport } from "@tabler/icons-react";
import { lazy, Suspense, useState } from "react";
import { useTexts } from "../../i18n/texts.ts";
import type { Draft } from "../form/order-draft.ts";
import type { OrderFiles } from "../form/use-order-files.ts";

export interface CaseImportProps {
  draft: Draft;
  /** True if the patient of the order cannot be changed any more. */
  isPatientFixed: boolean;
  files: OrderFiles;
  onFill: (fields: Partial<Draft>) => void;
}

const CaseImportDialog = lazy(() =>
  import("./case-import-dialog.tsx").then((one) => ({ default: one.CaseImportDialog })),
);

/** Fills the order from a case of another program: by its button, or as soon as such a case is dropped on the files. */
export function CaseImport(props: CaseImportProps) {
  const t = useTexts("labCase");
  const { files } = props;
  const [isOpen, setOpen] = useState(false);
  const close = () => {
    setOpen(false);
    files.setDropped(null);
  };
  return (
    <>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconFileImport size={16} stroke={1.6} aria-hidden />}
        onClick={() => setOpen(true)}
      >
        {t("labCase.import.action")}
      </Button>
      {(isOpen || files.dropped) && (
        <Suspense>
          <CaseImportDialog {...props} onClose={close} />
        </Suspense>
      )}
    </>
  );
}
