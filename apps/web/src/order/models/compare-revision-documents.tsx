import { Button, NativeSelect, Text } from "@mantine/core";
import { IconDownload, IconFileText } from "@tabler/icons-react";
import { useState } from "react";
import type { Order } from "@arcada/contract/order/order.calls";
import { useTexts } from "../../i18n/texts.ts";
import type { CompareSide } from "./comparison-sides.ts";
import classes from "../detail/order-detail.module.css";

/** Images and documents of two revisions side by side. */
export const CompareDocuments = ({ left, right }: { left: CompareSide; right: CompareSide }) => (
  <div className={classes.papers}>
    <DocumentColumn side={left} />
    <DocumentColumn side={right} />
  </div>
);

function DocumentColumn({ side }: { side: CompareSide }) {
  const t = useTexts("orderDetail");
  const [chosen, choose] = useState(side.documents[0]?.id);
  const file = side.documents.find(({ id }) => id === chosen) ?? side.documents[0];
  if (!file) return null;
  return (
    <figure className={classes.paper}>
      <figcaption>
        {side.documents.length > 1 ? (
          <NativeSelect
            aria-label={t("orderDetail.compare.file", { what: side.label })}
            data={side.documents.map(({ id, name }) => ({ value: id, label: name }))}
            value={file.id}
            onChange={(event) => choose(event.currentTarget.value)}
          />
        ) : (
          <Text size="sm" truncate>
            {file.name}
          </Text>
        )}
      </figcaption>
      <DocumentPreview file={file} />
    </figure>
  );
}

function DocumentPreview({ file }: { file: Order["files"][number] }) {
  const t = useTexts("orderDetail");
  if (file.pictureUrl)
    return (
      <a className={classes.paperPicture} href={file.pictureUrl} target="_blank" rel="noreferrer">
        <img src={file.pictureUrl} alt={file.name} />
      </a>
    );
  return (
    <div className={classes.paperCard}>
      <IconFileText size={40} stroke={1.2} aria-hidden />
      <Button
        component="a"
        variant="default"
        href={file.url ?? ""}
        download={file.name}
        leftSection={<IconDownload size={16} aria-hidden />}
      >
        {t("orderDetail.compare.openFile")}
      </Button>
    </div>
  );
}
