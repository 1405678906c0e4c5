import { CloseButton, TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import { useState } from "react";
import { useTexts } from "../../i18n/texts.ts";

interface Props {
  /** The text that is searched. */
  value: string;
  /** Called with the text when typing pauses. */
  onSearch: (text: string) => void;
  label: string;
  delayMs?: number;
  /** True if it gets the focus when its dialog opens. */
  focusOnOpen?: boolean;
}

export function SearchBox({ value, onSearch, label, delayMs = 300, focusOnOpen = false }: Props) {
  const t = useTexts();
  const [typed, setTyped] = useState(value);
  const [applied, setApplied] = useState(value);
  // The text may change without the field: a link leads to the same list with another text.
  if (applied !== value) {
    setApplied(value);
    if (typed.trim() !== value) setTyped(value);
  }
  const searchLater = useDebouncedCallback(onSearch, delayMs);
  const change = (text: string) => {
    setTyped(text);
    searchLater(text.trim());
  };
  return (
    <TextInput
      type="search"
      role="searchbox"
      aria-label={label}
      placeholder={label}
      leftSection={<IconSearch size={18} stroke={1.6} />}
      rightSection={typed && <CloseButton size="sm" aria-label={t("common.clear")} onClick={() => change("")} />}
      value={typed}
      maxLength={60}
      data-autofocus={focusOnOpen || undefined}
      onChange={(event) => change(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === "Enter") onSearch(typed.trim());
        if (event.key === "Escape") change("");
      }}
    />
  );
}
