/** A queue label such as B-12; one too wide for its place breaks behind the hyphen. */
export const Label = ({ of }: { of: string }) => {
  const at = of.indexOf('-') + 1;
  return (
    <>
      {of.slice(0, at)}
      <wbr />
      {of.slice(at)}
    </>
  );
};
