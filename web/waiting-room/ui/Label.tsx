/** A queue label such as B-12; it can be broken into two lines only after its hyphen. */
export const Label = ({ of, mayBreak = false }: { of: string; mayBreak?: boolean }) => {
  const at = of.indexOf('-') + 1;
  return (
    <>
      <span class="letters">{of.slice(0, at)}</span>
      {mayBreak && <wbr />}
      {of.slice(at)}
    </>
  );
};
