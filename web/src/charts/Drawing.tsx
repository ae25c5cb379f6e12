import { useComputedColorScheme } from "@mantine/core";
import { useEffect, useRef } from "react";
import { init, type Option } from "./echarts.ts";
import { INK, SERIES } from "./palette.ts";

type Drawn = ReturnType<typeof init>;

/** Draws an option, follows its size and the colours of the page. */
export default function Drawing({
  title,
  option,
  height,
}: {
  title: string;
  option: Option;
  height: number;
}) {
  const place = useRef<HTMLDivElement>(null);
  const drawn = useRef<Drawn | null>(null);
  const scheme = useComputedColorScheme("light");

  useEffect(() => {
    if (!place.current) return;
    const chart = init(place.current, null, { renderer: "svg" });
    drawn.current = chart;
    const watching = new ResizeObserver(() => chart.resize());
    watching.observe(place.current);
    return () => {
      watching.disconnect();
      chart.dispose();
      drawn.current = null;
    };
  }, []);

  useEffect(() => {
    const ink = INK[scheme];
    drawn.current?.setOption(
      {
        color: [...SERIES[scheme]],
        textStyle: { color: ink.text, fontFamily: "inherit" },
        backgroundColor: "transparent",
        animationDuration: 200,
        ...option,
      },
      { notMerge: true },
    );
  }, [option, scheme]);

  // The table holds the same numbers; to a screen reader this is a picture.
  return <div ref={place} role="img" aria-label={title} style={{ height, width: "100%" }} />;
}
