import { Alert, Button, FileButton, Group } from "@mantine/core";
import { useState } from "react";

interface Props {
  /** The types and endings that the browser offers. */
  accept: string;
  maxBytes: number;
  /** Identifies the stored file; null if there is none. */
  stored: string | null;
  isBusy: boolean;
  labels: { choose: string; replace: string; remove: string; tooLarge: string };
  /** The reason that the last file was refused. */
  problem: string | undefined;
  /** Called with a file that is small enough, or null to remove the stored one. */
  onChange: (file: File | null) => void;
}

/** The buttons that choose, replace or remove a stored file, and why a chosen one was not taken. */
export function FileChoice({ accept, maxBytes, stored, isBusy, labels, problem, onChange }: Props) {
  const [isTooLarge, setTooLarge] = useState(false);
  const change = (file: File | null) => {
    const exceeds = file !== null && file.size > maxBytes;
    setTooLarge(exceeds);
    if (!exceeds) onChange(file);
  };
  const shown = isTooLarge ? labels.tooLarge : problem;
  return (
    <>
      <Group gap="sm">
        <FileButton key={stored} accept={accept} onChange={(file) => file && change(file)}>
          {(props) => (
            <Button {...props} variant="default" loading={isBusy}>
              {stored === null ? labels.choose : labels.replace}
            </Button>
          )}
        </FileButton>
        {stored !== null && (
          <Button variant="subtle" color="red" disabled={isBusy} onClick={() => change(null)}>
            {labels.remove}
          </Button>
        )}
      </Group>
      {shown && (
        <Alert color="red" role="alert">
          {shown}
        </Alert>
      )}
    </>
  );
}
