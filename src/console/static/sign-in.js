// The token of a sign-in link is after the number sign, so no log has it: it goes into the form, and out of the address.
const token = new URLSearchParams(location.hash.slice(1)).get('t');
if (token !== null) {
  history.replaceState(null, '', location.pathname + location.search);
  const form = document.getElementById('link');
  form.elements.namedItem('token').value = token;
  form.requestSubmit();
}
