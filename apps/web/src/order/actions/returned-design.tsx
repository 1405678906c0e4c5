import { Alert, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { findCaseFileRole } from "@arcada/exchange/scan-folder/case-file-role";
import type { DesignPlace } from "@arcada/exchange/exocad/read-construction-info";
import { useTexts } from "../../i18n/texts.ts";
import { useToothNames } from "../../i18n/tooth-notation.ts";

/** Names the tooth of each design, by the names of exocad, and says whether the designs lie on the scans. */
export function ReturnedDesign({ files }: { files: readonly File[] }) {
  const t = useTexts("order");
  const teeth = useToothNames();
  const designs = files.flatMap(({ name }) => {
    const tooth = findCaseFileRole(name)?.tooth;
    return tooth ? [{ name, tooth }] : [];
  });
  const info = files.findLast(({ name }) => /\.constructioninfo$/i.test(name));
  const place = useQuery({
    queryKey: ["order", "constructionInfo", info?.name, info?.size, info?.lastModified],
    queryFn: () => readPlace(info!),
    enabled: info !== undefined,
    retry: false,
  }).data;
  if (designs.length === 0 && (!place || place.alignment === "same")) return null;
  return (
    <div>
      {designs.length > 0 && (
        <>
          <Text size="sm" fw={500}>
            {t("order.ask.designTeeth")}
          </Text>
          {designs.map(({ name, tooth }) => (
            <Text key={name} size="sm">
              {teeth.text([tooth])} · {name}
            </Text>
          ))}
        </>
      )}
      {place && place.alignment !== "same" && (
        <Alert color="orange" mt="xs">
          {place.alignment === "moved"
            ? t("order.ask.designMoved", { distance: measureShift(place).toFixed(1) })
            : t("order.ask.designApart")}
        </Alert>
      )}
    </div>
  );
}

/** The XML reader is loaded with the first construction info. Null for a file that is none. */
async function readPlace(file: File): Promise<DesignPlace | null> {
  const { readConstructionInfo, findDesignPlace } = await import("@arcada/exchange/exocad/read-construction-info");
  try {
    return findDesignPlace(readConstructionInfo(new Uint8Array(await file.arrayBuffer())));
  } catch {
    return null;
  }
}

/** mm between the origins of scene and scans. */
const measureShift = ({ toScans }: DesignPlace): number => (toScans ? Math.hypot(...toScans.slice(12, 15)) : 0);
