import { Button } from "@mantine/core";
import { IconFiles, IconFolder } from "@tabler/icons-react";
import { useRef } from "react";
import { useTexts } from "../../i18n/texts.ts";

interface FilePickerButtonProps {
  kind: "files" | "folder";
  onChosen: (files: File[]) => void;
  size?: "sm" | "compact-sm";
  disabled?: boolean;
}

/** Opens the browser's file dialog for files, or for a folder with its contents. */
export function FilePickerButton({ kind, onChosen, size = "sm", disabled = false }: FilePickerButtonProps) {
  const t = useTexts("order");
  const input = useRef<HTMLInputElement>(null);
  const isFolder = kind === "folder";
  const label = t(isFolder ? "order.drop.folder" : "order.drop.choose");
  const Icon = isFolder ? IconFolder : IconFiles;
  return (
    <>
      <Button
        size={size}
        variant="default"
        disabled={disabled}
        leftSection={<Icon size={16} aria-hidden />}
        onClick={() => input.current?.click()}
      >
        {label}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        multiple
        {...(isFolder && { webkitdirectory: "" })}
        aria-label={label}
        onChange={(event) => {
          onChosen([...(event.currentTarget.files ?? [])]);
          // Reset the input, so that the same file may be chosen again.
          event.currentTarget.value = "";
        }}
      />
    </>
  );
}
