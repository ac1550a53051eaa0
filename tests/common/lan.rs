//! Several machines on one network, as network namespaces. Needs root and iproute2; nothing leaves them.

use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

/// A switch, and hosts on it. Removed on drop.
pub struct Lan {
    name: String,
    hosts: u32,
}

fn ip(args: &str) -> Result<(), String> {
    let out = Command::new("ip")
        .args(args.split_whitespace())
        .output()
        .map_err(|e| format!("ip: {e}"))?;
    if out.status.success() {
        Ok(())
    } else {
        Err(format!("ip {args}: {}", String::from_utf8_lossy(&out.stderr).trim()))
    }
}

impl Lan {
    /// A network with so many hosts, 10.77.0.1 and so on; `None` where namespaces cannot be made.
    pub fn new(hosts: u32) -> Option<Self> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let name = format!("tr{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let mut lan = Self { name, hosts: 0 };
        let switch = lan.host(0);
        if let Err(error) = ip(&format!("netns add {switch}")) {
            assert!(
                std::env::var_os("TRINKA_NEED_NETNS").is_none(),
                "namespaces are needed: {error}"
            );
            eprintln!("\n*** SKIPPED: needs root and iproute2 ({error}) ***\n");
            return None;
        }
        ip(&format!("-n {switch} link add br0 type bridge mcast_snooping 0")).unwrap();
        ip(&format!("-n {switch} link set br0 up")).unwrap();
        for i in 1..=hosts {
            lan.add(i);
        }
        Some(lan)
    }

    /// The namespace of a host.
    pub fn host(&self, i: u32) -> String {
        format!("{}-{i}", self.name)
    }

    fn add(&mut self, i: u32) {
        let (switch, host) = (self.host(0), self.host(i));
        ip(&format!("netns add {host}")).unwrap();
        self.hosts = i;
        ip(&format!("-n {host} link set lo up")).unwrap();
        ip(&format!("-n {switch} link add p{i} type veth peer name eth0 netns {host}")).unwrap();
        ip(&format!("-n {switch} link set p{i} master br0 up")).unwrap();
        ip(&format!("-n {host} addr add 10.77.0.{i}/24 brd + dev eth0")).unwrap();
        ip(&format!("-n {host} link set eth0 up")).unwrap();
    }

    /// The switch drops multicast from now on; broadcast passes.
    pub fn no_multicast(&self) {
        for i in 1..=self.hosts {
            let args = format!("-n {} link set dev p{i} mcast_flood off", self.host(0));
            let done = Command::new("bridge").args(args.split_whitespace()).status().unwrap();
            assert!(done.success());
        }
    }
}

impl Drop for Lan {
    fn drop(&mut self) {
        for i in (0..=self.hosts).rev() {
            let _ = ip(&format!("netns del {}", self.host(i)));
        }
    }
}
