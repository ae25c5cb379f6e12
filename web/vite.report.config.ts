import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";
import { viteSingleFile } from "vite-plugin-singlefile";
import { shared } from "./vite.config.ts";

const OUT = resolve(import.meta.dirname, "../src/whet/static/report");
const PLACE = '<script type="application/json" id="report">null</script>';

/**
 * What is built into the page may run, known by its digest, and nothing else: whatever stands in a
 * report, no script of it does, and nothing is fetched.
 */
function sealed(): Plugin {
  return {
    name: "sealed",
    apply: "build",
    closeBundle() {
      const path = resolve(OUT, "report.html");
      const page = readFileSync(path, "utf8");
      const scripts = [...page.matchAll(/<script type="module"[^>]*>([\s\S]*?)<\/script>/g)];
      const digests = scripts.map(
        ([, text]) =>
          `'sha256-${createHash("sha256")
            .update(text ?? "")
            .digest("base64")}'`,
      );
      if (digests.length !== 1 || !page.includes(PLACE) || !page.includes('"POLICY"')) {
        throw new Error("the page for reports was not built as Python expects it");
      }
      const policy = [
        "default-src 'none'",
        `script-src ${digests.join(" ")}`,
        "style-src 'unsafe-inline'",
        "img-src data:",
        "base-uri 'none'",
        "form-action 'none'",
      ].join("; ");
      writeFileSync(
        path,
        page.replace('"POLICY"', () => `"${policy}"`),
      );
    },
  };
}

/** One file with everything in it; Python puts the data of a report into it. */
export default defineConfig({
  ...shared,
  plugins: [react(), viteSingleFile(), sealed()],
  publicDir: false,
  build: {
    outDir: OUT,
    emptyOutDir: true,
    rolldownOptions: { input: resolve(import.meta.dirname, "report.html") },
  },
});
