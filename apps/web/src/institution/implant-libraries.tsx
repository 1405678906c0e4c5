import { Alert, Button, FileButton, Group, Stack, Text } from "@mantine/core";
import { useState, type ReactNode } from "react";
import { builtInLibrary } from "@arcada/contract/implant/built-in-library";
import {
  implantLibrary,
  implantLibraryRules,
  type ImplantLibrary,
} from "@arcada/contract/implant/implant-library.schema";
import { implantCalls } from "@arcada/contract/implant/implant.calls";
import { toast } from "../browser/toast.ts";
import { useCall } from "../data/use-call.ts";
import { useCommand } from "../data/use-command.ts";
import { formatTimestamp } from "../i18n/format.ts";
import { useTexts } from "../i18n/texts.ts";
import { Section } from "../ui/page.tsx";
import { QueryResult } from "../ui/query-result.tsx";

/** The implant systems of plans and prescriptions: the product's library and the organisation's own files. */
export function ImplantLibraries() {
  const t = useTexts("implant");
  const libraries = useCall(implantCalls.libraries, {});
  return (
    <Section title={t("implant.library.title")} description={t("implant.library.says")}>
      <Stack gap="md">
        <LibraryRow
          name={builtInLibrary.name}
          note={[t("implant.library.builtIn"), countSystems(t, builtInLibrary)].join(" · ")}
        >
          <Button size="sm" variant="default" onClick={() => download(builtInLibrary)}>
            {t("implant.library.download")}
          </Button>
        </LibraryRow>
        <QueryResult of={libraries}>{(own) => own.map((one) => <ImportedLibrary key={one.id} {...one} />)}</QueryResult>
        <ImportLibrary />
      </Stack>
    </Section>
  );
}

function LibraryRow({ name, note, children }: { name: string; note: string; children: ReactNode }) {
  return (
    <Group justify="space-between" gap="md">
      <Stack gap={2} flex="1 1 240px">
        <Text size="sm" fw={600}>
          {name}
        </Text>
        <Text size="sm" c="dimmed">
          {note}
        </Text>
      </Stack>
      {children}
    </Group>
  );
}

function ImportedLibrary({
  id,
  library,
  importedBy,
  importedAt,
}: {
  id: string;
  library: ImplantLibrary;
  importedBy: string;
  importedAt: string;
}) {
  const t = useTexts("implant");
  const remove = useCommand(implantCalls.removeLibrary);
  const { name } = library;
  const imported = t("implant.library.imported", { name: importedBy, time: formatTimestamp(importedAt) });
  return (
    <LibraryRow name={name} note={[countSystems(t, library), imported].join(" · ")}>
      <Button
        size="sm"
        variant="subtle"
        color="red"
        aria-label={t("implant.library.removeName", { name })}
        loading={remove.busy}
        onClick={() =>
          void remove.run({ id }).then((done) => done && toast("success", t("implant.library.removed", { name })))
        }
      >
        {t("implant.library.remove")}
      </Button>
    </LibraryRow>
  );
}

function ImportLibrary() {
  const t = useTexts("implant");
  const command = useCommand(implantCalls.importLibrary);
  const [problem, setProblem] = useState<string | null>(null);
  const read = async (file: File | null) => {
    if (!file) return;
    const result = await readLibraryFile(file);
    if ("problem" in result) return setProblem(t(`implant.library.${result.problem}`, result.values));
    setProblem(null);
    const done = await command.run({ library: result.library });
    if (done) toast("success", t("implant.library.done", { name: result.library.name }));
  };
  return (
    <Stack gap="sm" align="start">
      <FileButton accept="application/json,.json" onChange={(file) => void read(file)}>
        {(props) => (
          <Button {...props} variant="default" loading={command.busy}>
            {t("implant.library.import")}
          </Button>
        )}
      </FileButton>
      <Text size="sm" c="dimmed">
        {t("implant.library.format")}
      </Text>
      {problem && (
        <Alert color="red" role="alert">
          {problem}
        </Alert>
      )}
    </Stack>
  );
}

type ReadFile =
  | { library: ImplantLibrary }
  | { problem: "tooLarge" | "notJson" | "faulty"; values: Record<string, string | number> };

/** Reads a library file; names the first place at which it does not follow the format. */
async function readLibraryFile(file: File): Promise<ReadFile> {
  const { maxFileBytes } = implantLibraryRules;
  if (file.size > maxFileBytes) return { problem: "tooLarge", values: { kilobytes: maxFileBytes / 1000 } };
  let content: unknown;
  try {
    content = JSON.parse(await file.text());
  } catch {
    return { problem: "notJson", values: {} };
  }
  const parsed = implantLibrary.safeParse(content);
  if (parsed.success) return { library: parsed.data };
  const path = parsed.error.issues[0]?.path.join(".") ?? "";
  return { problem: "faulty", values: { path: path === "" ? "–" : path } };
}

const countSystems = (
  t: (key: "implant.library.systems", values: { count: number }) => string,
  { systems }: ImplantLibrary,
) => t("implant.library.systems", { count: systems.length });

function download(library: ImplantLibrary): void {
  const url = URL.createObjectURL(new Blob([JSON.stringify(library, null, 2)], { type: "application/json" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = "implant-library.json";
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
