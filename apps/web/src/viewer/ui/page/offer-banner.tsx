import { CloseButton } from "@mantine/core";
import type { Icon } from "@tabler/icons-react";
import type { ReactNode } from "react";
import styles from "./offer-banner.module.css";

interface Props {
  icon: Icon;
  text: string;
  closeLabel: string;
  onClose: () => void;
  /** The buttons that take the offer. */
  children?: ReactNode;
}

/** One line above an image that offers a change; nothing changes until the user takes it. */
export function OfferBanner({ icon: BannerIcon, text, closeLabel, onClose, children }: Props) {
  return (
    <div className={styles.banner} role="status">
      <BannerIcon size={18} stroke={1.7} className={styles.icon} aria-hidden />
      <div className={styles.offer}>
        <span className={styles.text}>{text}</span>
        {children && <div className={styles.actions}>{children}</div>}
      </div>
      <CloseButton size="sm" aria-label={closeLabel} onClick={onClose} />
    </div>
  );
}
