#!/bin/sh
# Makes this release the service of this machine, the first one or in place of another: deploy/install.sh https://mail.example.com
# docs/operating/install.md and upgrade.md tell more. What was set before stays as it is.
set -eu
umask 022
PATH=$PATH:/usr/local/sbin:/usr/sbin:/sbin
cd "$(dirname "$0")/.."
release=$(pwd -P)
settings=/etc/mailstead/mailstead.env

stop() {
  echo "$1" >&2
  exit 1
}
[ "$(id -u)" = 0 ] || stop 'Please run this as root.'
case $release in /root/* | /home/* | /tmp/* | /var/tmp/*) stop "A service does not see $release. Please unpack it in /opt." ;; esac
[ -e "$settings" ] || [ $# -eq 1 ] || stop "Please say at which address: $0 https://mail.example.com"

id mailstead >/dev/null 2>&1 ||
  useradd --system --user-group --home-dir /var/lib/mailstead --shell /usr/sbin/nologin mailstead
# The old release runs on meanwhile.
npm run --silent setup -- /var/lib/mailstead
if [ ! -e "$settings" ]; then
  mkdir -p "$(dirname "$settings")"
  printf 'PUBLIC_URL=%s\n' "$1" >"$settings"
fi
chown root:mailstead "$settings"
chmod 640 "$settings"
ln -sfn "$settings" mailstead.env
ln -sfn "$release" /opt/mailstead.new
mv -T /opt/mailstead.new /opt/mailstead
# A host of a cluster has a file for the roles of each process, and a unit for each file (docs/operating/cluster.md).
units=
for roles in web mail worker; do
  [ ! -e "/etc/mailstead/$roles.env" ] || units="$units mailstead@$roles"
done
if [ -n "$units" ]; then
  install -m 644 deploy/mailstead.service /etc/systemd/system/mailstead@.service
  # Of the time when this host was alone.
  systemctl disable --quiet --now mailstead 2>/dev/null || true
  install -D -m 644 deploy/cluster/mailstead@.conf /etc/systemd/system/mailstead@.service.d/roles.conf
else
  units=mailstead
  install -m 644 deploy/mailstead.service /etc/systemd/system/mailstead.service
fi
systemctl daemon-reload
# The first one has the pages, and says the link.
set -- $units
for unit; do
  systemctl enable --quiet "$unit"
  systemctl restart "$unit"
done
echo "Mailstead runs. journalctl --unit $1 shows what it says, such as the link for your account."
