//! A small server on rmcp, the official Rust package: what a careful author would write.
use rmcp::{
    handler::server::wrapper::{Json, Parameters},
    model::{ServerCapabilities, ServerConfig},
    schemars,
    service::{ElicitationError, RequestContext},
    tool, tool_handler, tool_router,
    transport::stdio,
    RoleServer, ServerHandler, ServiceExt,
};
use serde::{Deserialize, Serialize};

#[derive(Clone, Serialize, schemars::JsonSchema)]
struct City {
    name: &'static str,
    population: u64,
    river: Option<&'static str>,
}

#[derive(Serialize, schemars::JsonSchema)]
struct Table {
    cities: Vec<City>,
}

#[derive(Deserialize, schemars::JsonSchema)]
struct Limit {
    /// how many
    limit: usize,
}

#[derive(Serialize, Deserialize, schemars::JsonSchema)]
struct Trip {
    #[serde(default = "two")]
    nights: u8,
}
rmcp::elicit_safe!(Trip);

fn two() -> u8 {
    2
}

#[derive(Clone)]
struct Server;

#[tool_router]
impl Server {
    #[tool(description = "A table that keeps its promise")]
    async fn cities(&self, Parameters(Limit { limit }): Parameters<Limit>) -> Result<Json<Table>, String> {
        let all = [
            City { name: "Lisbon", population: 545796, river: Some("Tagus") },
            City { name: "Madrid", population: 3223334, river: None },
            City { name: "Porto", population: 231800, river: Some("Douro") },
        ];
        match all.get(..limit) {
            Some(cities) => Ok(Json(Table { cities: cities.to_vec() })),
            None => Err("the map is out of print".into()),
        }
    }

    #[tool(description = "Asks how long")]
    async fn travel(&self, context: RequestContext<RoleServer>) -> Result<String, String> {
        match context.peer.elicit::<Trip>("How many nights?").await {
            Ok(Some(trip)) => Ok(format!("{} nights", trip.nights)),
            Ok(None) => Ok("nothing".into()),
            Err(ElicitationError::UserDeclined) => Ok("decline".into()),
            Err(error) => Err(error.to_string()),
        }
    }
}

#[tool_handler]
impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    Server.serve(stdio()).await?.waiting().await?;
    Ok(())
}
