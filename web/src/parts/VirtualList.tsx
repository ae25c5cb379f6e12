import { useVirtualizer } from "@tanstack/react-virtual";
import { type ReactNode, useRef } from "react";

/** As many rows as there are, of which only those in sight are drawn. All have one height. */
export function VirtualList<Row>({
  rows,
  keyOf,
  rowHeight,
  most,
  label,
  children,
}: {
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  rowHeight: number;
  /** The height from which it scrolls. */
  most: number;
  label: string;
  children: (row: Row) => ReactNode;
}) {
  const place = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => place.current,
    estimateSize: () => rowHeight,
    getItemKey: (index) => keyOf(rows[index] as Row),
    overscan: 8,
  });
  const height = virtual.getTotalSize();
  return (
    <div ref={place} style={{ overflowY: "auto", maxHeight: most }}>
      <ul
        aria-label={label}
        style={{ height, position: "relative", margin: 0, padding: 0, listStyle: "none" }}
      >
        {virtual.getVirtualItems().map((item) => (
          <li
            key={item.key}
            aria-setsize={rows.length}
            aria-posinset={item.index + 1}
            style={{
              position: "absolute",
              insetInline: 0,
              height: rowHeight,
              transform: `translateY(${item.start}px)`,
            }}
          >
            {children(rows[item.index] as Row)}
          </li>
        ))}
      </ul>
    </div>
  );
}
