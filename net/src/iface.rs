//! The machine's interfaces, as far as finding peers needs them.

use std::net::{IpAddr, Ipv4Addr};

use if_addrs::{IfAddr, IfOperStatus, Interface, get_if_addrs};

fn up() -> impl Iterator<Item = Interface> {
    let all = get_if_addrs().unwrap_or_else(|error| {
        tracing::warn!(%error, "cannot list the interfaces");
        Vec::new()
    });
    all.into_iter().filter(|i| {
        !i.is_loopback() && matches!(i.oper_status, IfOperStatus::Up | IfOperStatus::Unknown)
    })
}

/// Whether peers on other machines can be reached at all: an interface besides loopback has an address
/// that can be dialled (IPv6 link-local ones cannot).
pub(crate) fn has_lan() -> bool {
    up().any(|i| match i.ip() {
        IpAddr::V4(_) => true,
        IpAddr::V6(ip) => !ip.is_unicast_link_local(),
    })
}

/// Whether mDNS can use IPv4.
pub(crate) fn has_lan_v4() -> bool {
    up().any(|i| i.ip().is_ipv4())
}

/// The broadcast address of each IPv4 interface that has one.
pub(crate) fn broadcasts() -> Vec<Ipv4Addr> {
    let mut all: Vec<_> = up().filter(|i| !i.is_p2p).filter_map(|i| broadcast(&i.addr)).collect();
    all.sort();
    all.dedup();
    all
}

fn broadcast(addr: &IfAddr) -> Option<Ipv4Addr> {
    let IfAddr::V4(v4) = addr else { return None };
    if v4.prefixlen >= 31 {
        return None;
    }
    Some(v4.broadcast.unwrap_or_else(|| v4.ip | !v4.netmask))
}
