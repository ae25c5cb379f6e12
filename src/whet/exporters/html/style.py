"""How the page looks: calm, in light and dark, on screen and on paper."""

DARK = (
    "--ground:#16181b;--card:#1e2124;--ink:#e4e6e8;--soft:#9aa2ab;--rule:#33383d;--accent:#7fb0e6;"
    "--good:#6cc79a;--good-soft:#1d3a2c;--bad:#ef8b80;--bad-soft:#45231f;--mild:#dcb65c;"
    "--mild-soft:#3b3118;--s0:#4a2622;--s1:#463320;--s2:#413c1f;--s3:#2c3d23;--s4:#1f4030"
)
LIGHT = (
    "--ground:#f6f5f2;--card:#fff;--ink:#22262b;--soft:#626a73;--rule:#e3e0da;--accent:#3b6ea8;"
    "--good:#1f7a4d;--good-soft:#dcefe4;--bad:#b3382f;--bad-soft:#f7dfdb;--mild:#8a6410;"
    "--mild-soft:#f6ebcf;--s0:#f5d5d0;--s1:#f8e3cf;--s2:#f5efd0;--s3:#e3efd5;--s4:#cfe8d8"
)
_REST = """
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--ink);
font:16px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","PingFang SC",
"Microsoft YaHei","Noto Sans CJK SC",sans-serif}
main{max-width:60rem;margin:0 auto;padding:2.5rem 1.25rem 4rem}
h1{font-size:1.55rem;line-height:1.25;margin:0 0 1.25rem;font-weight:650;overflow-wrap:anywhere}
h2{font-size:1.2rem;margin:2.75rem 0 .75rem;font-weight:650;overflow-wrap:anywhere}
h3{font-size:1rem;margin:2rem 0 .6rem;font-weight:650}
h4{font-size:.8rem;margin:1.25rem 0 .4rem;font-weight:650;color:var(--soft)}
p{margin:.5rem 0}a{color:var(--accent);text-underline-offset:.15em}
.kicker,.note,.facts dt{color:var(--soft);font-size:.875rem}.kicker{margin:0 0 .25rem}
.card{background:var(--card);border:1px solid var(--rule);border-radius:14px;
padding:1.5rem 1.75rem;margin:0 0 1.25rem}
.verdict .word{font-size:1.9rem;font-weight:700;line-height:1.2;margin:0}
.verdict .said{font-size:1.06rem;margin:.4rem 0 0;max-width:46rem}
.better .word,.better.word,td.up{color:var(--good)}
.worse .word,.worse.word,td.down{color:var(--bad)}
.inconclusive .word,.inconclusive.word{color:var(--mild)}
.banner{border-radius:10px;padding:.65rem 1rem;margin:0 0 1.25rem;background:var(--mild-soft);
color:var(--mild);font-weight:600;font-size:.94rem}
svg.interval{display:block;width:100%;min-width:26rem;max-width:44rem;height:auto;margin:1.1rem 0 0}
svg text{fill:var(--soft);font-size:13px;font-family:inherit;font-variant-numeric:tabular-nums}
.axis{stroke:var(--rule);stroke-width:1.5}.zero{stroke:var(--soft);stroke-width:1.5}
.range{fill:var(--accent);opacity:.32}.point{fill:var(--accent)}
.better .range,.better .point{fill:var(--good)}.worse .range,.worse .point{fill:var(--bad)}
.inconclusive .range,.inconclusive .point{fill:var(--mild)}
.wide{overflow-x:auto}
table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}
th,td{padding:.45rem .7rem;border-bottom:1px solid var(--rule);text-align:right;
vertical-align:top}
th{font-weight:600;font-size:.82rem;color:var(--soft);vertical-align:bottom}
th:first-child,td:first-child,.left th,.left td{text-align:left;overflow-wrap:anywhere}
thead th:first-child,.left thead th{overflow-wrap:normal}.left td{min-width:8.5rem}
tbody th{color:var(--ink);font-weight:500;font-size:1rem}
tr:last-child>td,tr:last-child>th{border-bottom:0}
.bar{display:block;height:5px;border-radius:3px;background:var(--rule);margin-top:.3rem;
min-width:5rem}
.bar>span{display:block;height:100%;border-radius:3px;background:var(--soft)}
.bar.ours>span{background:var(--accent)}
td.drawn{min-width:9rem;width:34%;text-align:left}.bar.thick{height:9px;border-radius:5px}
.bar.thick>span{border-radius:5px}.dimensions tbody th{vertical-align:top;
white-space:nowrap}.dimensions thead th:nth-child(2){text-align:left}
.cases,.checks{font-size:.9rem}.cases td,.checks td{min-width:0}.cases td.number{text-align:right;
white-space:nowrap}.cases td.yes,.cases td.no,.cases td.open,.checks td.yes,.checks td.no{
text-align:left;white-space:nowrap}.cases td:last-child{min-width:12rem}
.cases td:first-child{min-width:10.5rem}.cases td:nth-child(7){min-width:6rem}.cases th,
.cases td:nth-child(2){word-break:keep-all;overflow-wrap:normal}.cases thead th{white-space:nowrap}
.covered tbody th{white-space:nowrap;vertical-align:top}.covered td{padding-left:1rem}.checks td{
overflow-wrap:anywhere}.checks td:first-child{white-space:nowrap}
.chip{display:inline-block;border:1px solid var(--rule);border-radius:6px;padding:.05rem .5rem;
margin:.1rem .3rem .1rem 0;font-size:.86rem;overflow-wrap:anywhere}
td.s0{background:var(--s0)}td.s1{background:var(--s1)}td.s2{background:var(--s2)}
td.s3{background:var(--s3)}td.s4{background:var(--s4)}
td.yes{color:var(--good);text-align:center}td.no{color:var(--bad);text-align:center}
td.open,.marks th{text-align:center;color:var(--soft)}.marks th:first-child{text-align:left}
.matrix th,.matrix td{text-align:center}
.matrix th:first-child,.matrix td:first-child{text-align:left;min-width:11rem}
.ranking th:nth-child(2),.ranking td:nth-child(2),.ranking th:last-child,.ranking td:last-child{
text-align:left}.ranking td:last-child{min-width:9rem}.ranking td:nth-child(4),
.ranking td:nth-child(5){white-space:nowrap}.about{margin:0 0 1.25rem;white-space:pre-line}
.banner a{color:inherit}
.ranking th{word-break:keep-all}.named th:first-child{min-width:12rem}
svg text.name{fill:var(--ink)}
.tagged{display:inline-block;border-radius:6px;padding:.05rem .5rem;margin-right:.5rem;
font-size:.82rem;font-weight:600;background:var(--mild-soft);color:var(--mild)}
ul{padding-left:1.2rem;margin:.4rem 0}li{margin:.3rem 0;overflow-wrap:anywhere}
ul.bare{list-style:none;padding:0}
.facts{display:grid;grid-template-columns:minmax(9rem,max-content) 1fr;gap:.35rem 1.5rem;margin:0}
.facts dd{margin:0;overflow-wrap:anywhere}
details{border-top:1px solid var(--rule)}details:last-of-type{border-bottom:1px solid var(--rule)}
details details{border:0!important;margin:.2rem 0}
summary{cursor:pointer;padding:.65rem .1rem;font-weight:550;overflow-wrap:anywhere}
details details summary{padding:.3rem .1rem;font-weight:500;color:var(--soft);font-size:.94rem}
summary:focus-visible,a:focus-visible{outline:2px solid var(--accent);outline-offset:2px;
border-radius:4px}
.inside{padding:0 0 1rem 1.1rem}
pre{background:var(--ground);border:1px solid var(--rule);border-radius:8px;padding:.75rem .9rem;
margin:.4rem 0;overflow:auto;max-height:28rem;white-space:pre-wrap;overflow-wrap:anywhere;
font:13px/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,"Noto Sans Mono CJK SC",monospace}
@media(max-width:58rem){.dimensions th,.dimensions td,.cases th,.cases td{padding:.45rem .35rem}
td.drawn{min-width:5rem;width:auto}.cases td:first-child{min-width:8.5rem}.cases td:nth-child(7){
min-width:4.5rem}.cases td:last-child{min-width:9rem}}
@media(max-width:60rem){.ranking,.ranking tbody{display:block}
.ranking thead{position:absolute;clip-path:inset(50%);width:1px;height:1px;overflow:hidden}
.ranking tr{display:grid;grid-template-columns:repeat(auto-fill,minmax(6.5rem,1fr));
gap:.6rem 1rem;padding:.9rem 0;border-bottom:1px solid var(--rule)}
.ranking tr:last-child{border-bottom:0}
.ranking td{padding:0;border:0;min-width:0!important;text-align:left}
.ranking td::before{content:attr(data-name);display:block;color:var(--soft);font-size:.82rem;
font-weight:400}
.ranking td:nth-child(2){grid-column:2/-1;font-weight:600}.ranking td:last-child{grid-column:1/-1}}
@media(max-width:36rem){main{padding:1.25rem .8rem 3rem}.card{padding:1.1rem 1rem}
.facts{grid-template-columns:1fr;gap:0}.facts dd{margin-bottom:.5rem}}
@media print{:root{--ground:#fff;--card:#fff;--ink:#000;--soft:#444;--rule:#bbb}
body{font-size:11pt}main{max-width:none;padding:0}.card{break-inside:avoid}
tr,li,summary{break-inside:avoid}pre{max-height:none}
::details-content{content-visibility:visible;display:block}
*{print-color-adjust:exact;-webkit-print-color-adjust:exact}}
"""
STYLE = f"""
:root{{color-scheme:light dark;{LIGHT}}}
@media(prefers-color-scheme:dark){{:root{{{DARK}}}}}{_REST}"""
